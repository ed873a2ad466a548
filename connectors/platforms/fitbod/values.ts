/** Reads sets in the form of Fitbod. */
import type { SetCellOf } from "../table/sources/sessions.ts";
import type { GymSet } from "../table/sources/sets.ts";

/** This value of `multiplier` means that the weight is the weight of one hand. */
const EACH_HAND = 2;

/** Reads a row. The export is always in kilograms and metres, in any unit of the app. Cells may begin with a blank. */
export function setOf(cellOf: SetCellOf): GymSet {
  const cell = (name: string) => cellOf(name).trim();
  const [incline, resistance] = [Number(cell("Incline")), Number(cell("Resistance"))];
  const weight = cell("Weight(kg)");
  const sets = Number(cell("Sets"));
  const more = [
    ...(sets > 1 ? [`${sets} sets`] : []),
    ...(Number(cell("multiplier")) === EACH_HAND && Number(weight) > 0 ? ["each hand"] : []),
    ...(incline > 0 ? [`incline ${incline}`] : []),
    ...(resistance > 0 ? [`resistance ${resistance}`] : []),
  ];
  return {
    exercise: cell("Exercise"),
    kind: cell("isWarmup").toLowerCase() === "true" ? "warm-up" : undefined,
    more: more.length > 0 ? `(${more.join(", ")})` : "",
    reps: cell("Reps"),
    weight: weight === "" ? cell("Weight") : shortened(weight),
    weightUnit: weight === "" ? undefined : "kg",
    distance: cell("Distance(m)"),
    distanceUnit: "m",
    seconds: cell("Duration(s)"),
    note: cell("Note"),
  };
}

/** Rounds `7.937875915123695` kilograms, which is 17.5 pounds, to 7.94. */
function shortened(text: string): string {
  const value = Number(text);
  return Number.isFinite(value) ? String(Math.round(value * 100) / 100) : text;
}

/** Takes the zone off `2022-01-05 22:06:49 +0000`. The zone is always UTC. */
export function startOf(text: string): string {
  return text.replace(/ \+0000$/, "");
}
