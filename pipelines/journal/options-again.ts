/** Writes the options of a run as a person types them, for commands that read its sources once more: without them, another plan would come out. */
import { defined } from "../../transforms/model/defined.ts";
import { sourceWords } from "../../transforms/model/unread.ts";
import { canBePasted, shellWord } from "../../transforms/text/shell.ts";
import type { Run, RunOptions } from "./run.ts";

/** The options that decide what a plan makes of its sources, each with its words. */
const DECIDING: readonly (readonly [option: string, words: (options: RunOptions) => readonly string[]])[] = [
  ["zone", ({ zone }) => listOf(zone)],
  ["since", ({ since }) => listOf(since)],
  ["until", ({ until }) => listOf(until)],
  ["sport", ({ sports = [] }) => sports.map(([name, activity]) => `${name}=${activity}`)],
  ["distance-unit", ({ distanceUnits = [] }) => distanceUnits],
  ["date-order", ({ dateOrder }) => listOf(dateOrder)],
  ["doubtful", ({ doubtful }) => listOf(doubtful)],
  ["prefer", ({ prefer = [] }) => prefer.map(({ field, source }) => `${field}=${source}`)],
  ["same-gear", ({ sameGear = [] }) => sameGear.map(({ names, isSame }) => names.join(isSame ? "=" : "!="))],
];

/** The options without a value. */
const FLAGS: readonly (readonly [option: string, isSet: (options: RunOptions) => boolean | undefined])[] = [
  ["trust-clocks", ({ trustClocks }) => trustClocks],
  ["link-courses", ({ linkCourses }) => linkCourses],
  ["no-private-notes", ({ withoutPrivateNotes }) => withoutPrivateNotes],
  ["no-tracks", ({ tracks }) => !tracks],
];

/**
 * ` --zone Europe/Vienna --same-gear 'Nike Pegasus 38=pegs'`: with a blank in front of each, or nothing.
 *
 * @param isShared whether others read the words, so that they name no folder: a preferred source is left out then
 */
export function optionsAgain(options: RunOptions, isShared = false): string {
  const withValue = DECIDING.filter(([option]) => !isShared || option !== "prefer").flatMap(([option, words]) =>
    words(options)
      .filter(canBePasted)
      .map((word) => ` --${option}${word.startsWith("-") ? "=" : " "}${shellWord(word)}`),
  );
  const flags = FLAGS.filter(([, isSet]) => isSet(options) === true).map(([option]) => ` --${option}`);
  return [...withValue, ...flags].join("");
}

/**
 * The options of a run, and those that it lacks and that earlier runs of the same sources had: the unit of another table, say. What limits the days of an
 * earlier run is left.
 */
export function withOptionsOf(options: RunOptions, earlier: readonly RunOptions[]): RunOptions {
  const all = [options, ...earlier];
  const named = {
    zone: all.find(({ zone }) => zone !== undefined)?.zone,
    dateOrder: all.find(({ dateOrder }) => dateOrder !== undefined)?.dateOrder,
    sameGear: all.find(({ sameGear = [] }) => sameGear.length > 0)?.sameGear,
  };
  const units = all.flatMap(({ distanceUnits = [] }) => distanceUnits);
  const sports = new Map(all.toReversed().flatMap(({ sports: words = [] }) => words));
  return { ...options, ...defined(named), distanceUnits: [...new Set(units)], sports: [...sports] };
}

/** `logferry import '/home/kim/my log.csv' --zone Europe/Vienna`: the command that imports the sources of a run once more, in any folder. */
export function importAgain({ sources, options }: Pick<Run, "sources" | "options">): string {
  return `logferry import ${sourceWords([...new Set(sources.map(({ path }) => path))])}${optionsAgain(options)}`;
}

function listOf(word: string | undefined): readonly string[] {
  return word === undefined ? [] : [word];
}
