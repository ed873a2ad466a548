/** Says in sentences why a shoe has another mileage in the log than at the source. */
import { type GearDifference, isSameMileage, type Mileage } from "../../pipelines/verify/gear-mileage.ts";
import { printable } from "../../transforms/text/printable.ts";
import { count } from "../terminal/output.ts";
import { distanceIn } from "./print-run.ts";

/** The number of pieces that are named. */
const SHOWN = 20;

/** A line for each piece of equipment: its two mileages, and what makes the difference. */
export function gearLines(gear: readonly GearDifference[], unit: "km" | "mi"): readonly string[] {
  const lines = gear.slice(0, SHOWN).map((piece) => {
    const said = piece.sources?.map(({ name, metres }) => `${distanceIn(unit, metres)} in ${printable(name, 80)}`);
    const both = `${said?.join(", ") ?? `${distanceIn(unit, piece.source)} at the source`}, ${distanceIn(unit, piece.log)} in the log`;
    return `Mileage of ${printable(piece.name, 80)}: ${both}. ${reasonsOf(piece, unit).join(" ")}`;
  });
  return gear.length > SHOWN ? [...lines, `And of ${count(gear.length - SHOWN)} more.`] : lines;
}

function reasonsOf(
  { source, sources, log, workouts, left, second, instead = [] }: GearDifference,
  unit: "km" | "mi",
): readonly string[] {
  const inLog = workouts.metres - left.metres - second.metres;
  const ofSource = source - workouts.metres;
  const ofLog = log - inLog;
  const planned = `the workouts of it that can be loaded (${count(workouts.count)})`;
  const who = sources?.[0] === undefined ? "The source" : printable(sources[0].name, 80);
  const isMore = (metres: number) => metres > 0 && !isSameMileage(metres, 0);
  return [
    ...(left.count === 0 ? [] : [`${named(left, unit)} ${left.count === 1 ? "is" : "are"} not in the log.`]),
    ...(second.count === 0
      ? []
      : [
          `${named(second, unit)} ${second.count === 1 ? "has" : "have"} ${othersOf(instead)} too, and a log takes one.`,
        ]),
    ...(isMore(ofSource) ? [`${who} counts ${distanceIn(unit, ofSource)} more than ${planned}.`] : []),
    ...(isMore(-ofSource) ? [`${who} counts ${distanceIn(unit, -ofSource)} less than ${planned}.`] : []),
    ...(isMore(ofLog) ? [`The log counts ${distanceIn(unit, ofLog)} of other workouts.`] : []),
    ...(isMore(-ofLog) ? [`The log counts ${distanceIn(unit, -ofLog)} less than its workouts had here.`] : []),
  ];
}

/** `6 of its workouts (172.1 km)`. */
function named({ count: workouts, metres }: Mileage, unit: "km" | "mi"): string {
  return `${count(workouts)} of its workouts (${distanceIn(unit, metres)})`;
}

/** The pieces that are worn instead, by their names. The name shows a person where it is the same piece after all. */
function othersOf(names: readonly string[]): string {
  const [first, ...more] = names.map((name) => printable(name, 80));
  if (first === undefined) return "another piece";
  return more.length === 0
    ? first
    : `${first} or ${count(more.length)} other ${more.length === 1 ? "piece" : "pieces"}`;
}
