/** The units of distances in Garmin's lists, which no column names. */
import { type Activity, activityNamed } from "../../../transforms/activities.ts";
import { parseNumber } from "../table/cells/cells.ts";
import { fold } from "../table/columns/columns.ts";
import type { CellOf, System } from "../table/mapping/shown-units.ts";
import { plain } from "./numbers.ts";
import { words } from "./words.ts";

// The names of a column: English, German, Danish, Swedish, Polish, Spanish, Portuguese, Hungarian.
export const TYPE = words(
  "Activity Type, Aktivitätstyp, Aktivitetstype, Aktivitetstyp, Typ aktywności, Tipo de actividad, Tipo de atividade, Tevékenység típusa",
);
export const DISTANCE = words("Distance, Distanz, Distans, Dystans, Distancia, Distância, Távolság");

const LONG: ReadonlySet<string> = new Set(["km", "mi"]);

/** The expected words for a distance without a unit. */
export const WITHOUT_UNIT =
  "its unit, which nothing in the list says. Say it for the whole list: --distance-unit km. Or if you see miles at Garmin: --distance-unit mi, for swims also --distance-unit yd (or m), and for rows --distance-unit m";

/**
 * The unit of a distance. The list shows swims and rows in metres or yards, without decimals. In a metric account these are metres. In any other
 * account the pool may have either unit, so a person must say it. Only pools are known to be in yards. It stays unknown for whole numbers of an unknown sport. Runs on a track
 * are in kilometres in every account.
 */
export function unitBy(
  cellOf: CellOf,
  shown: System | undefined,
  sport: Activity | undefined,
  given: readonly string[],
): string | undefined {
  if (isOnTrack(cellOf)) return "km";
  const long = shown === undefined ? given.find((unit) => LONG.has(unit)) : { metric: "km", imperial: "mi" }[shown];
  const { isShort, isWhole, activity } = kindOf(cellOf, sport);
  if (!isShort) return long;
  if (!isWhole || activity === undefined) return undefined;
  if (long === "km") return "m";
  return given.find((unit) => unit === "m" || (unit === "yd" && activity === "swim"));
}

/** Nobody swims or rows that many kilometres at once: from here on, the number is of metres or yards. */
const LONGEST_KM = 100;

/** What a person can do about a distance of a row that differs from the others of the list; undefined where an option for the list answers it. */
export function adviceFor(cellOf: CellOf, sport: Activity | undefined): string | undefined {
  const { isShort, isWhole } = kindOf(cellOf, sport);
  if (!isShort || isWhole) return undefined;
  const number = numberIn(cellOf, DISTANCE);
  const [likely, other] = number < LONGEST_KM ? ["km", "mi"] : ["m", "yd"];
  return `a whole number of metres or yards, as the list has for swims and rows. --distance-unit doesn't count for this one, so say it: logferry quarantine fix ID --set distance="${number} ${likely}" (or ${other})`;
}

/** Whether a row is a run on a track. Only its English name is known. */
export function isOnTrack(cellOf: CellOf): boolean {
  return fold(textIn(cellOf, TYPE)) === "track running";
}

function kindOf(cellOf: CellOf, sport: Activity | undefined) {
  const activity = sport ?? activityNamed(textIn(cellOf, TYPE));
  const isWhole = /^\d+$/.test(plain(textIn(cellOf, DISTANCE)));
  const isShort = activity === "swim" || activity === "row" || (activity === undefined && isWhole);
  return { activity, isWhole, isShort };
}

/** The number in the first filled column of these names; 0 if there is none. */
export function numberIn(cellOf: CellOf, names: readonly string[]): number {
  return parseNumber(plain(textIn(cellOf, names)), ".") ?? 0;
}

/** The text of the first filled column of these names; "" if there is none. */
export function textIn(cellOf: CellOf, names: readonly string[]): string {
  return names.map(cellOf).find((text) => text !== "") ?? "";
}
