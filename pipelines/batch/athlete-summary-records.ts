/** Tells an athlete about single workouts that were not loaded: by the day and the title, and in words that the athlete knows. */
import { printable } from "../../transforms/text/printable.ts";
import { counted, dayText } from "../report/page/wording.ts";
import type { OpenRecord } from "./open-records.ts";

/** The most records that an athlete summary names. */
const MOST_NAMED = 200;

/** The problem of a rejected record, for a person who has never seen logferry. The first row that matches counts. */
const REJECTED: readonly (readonly [rule: string, words: string, wordsOfFound?: (found: string) => string])[] = [
  [
    "workout/unknown-sport",
    "we don't know which sport this is",
    (found) => `we don't know which sport “${found}” is for your log`,
  ],
  ["workout/no-activity-id", "your log has no place for this sport yet"],
  ["workout/no-date", "we don't know on which day it was"],
  ["csv/bad-date", "its date can't be read", (found) => `its date, “${found}”, can't be read`],
  ["csv/bad-time", "its time of day can't be read", (found) => `its time of day, “${found}”, can't be read`],
  ["csv/no-date", "it has no date"],
  ["table/bad-date", "its date can't be read", (found) => `its date, “${found}”, can't be read`],
  ["table/no-date", "it has no date"],
  ["strava/bad-date", "its date can't be read", (found) => `its date, “${found}”, can't be read`],
  ["workout/two-sports", "it stands there twice, as two sports, so only one of them came over"],
  ["workout/", "its numbers can't be right"],
  ["csv/cut-row", "your file ends in the middle of this line"],
  ["csv/", "this line of your file can't be read"],
  ["table/", "this part of your file can't be read"],
  ["strava/", "this line of your file can't be read"],
  ["logferry-export/", "this part of your file can't be read"],
  ["device-files/", "there is no workout in this file"],
  ["plan/in-doubt", "it was sent, and we are still finding out whether it arrived"],
  ["plan/", "we could not tell what to do with it"],
  ["", "its file is damaged, or of a kind that we can't read"],
];

const NOT_TAKEN: Readonly<Record<Exclude<OpenRecord["state"], "quarantined">, string>> = {
  refused: "your log did not take it",
  failed: "it could not be sent to your log",
  "in-doubt": "it was sent, and we are still finding out whether it arrived",
};

/** One line for each record, the earliest day first. If there are too many, the last line gives the number of the others. */
export function namedRecords(records: readonly OpenRecord[]): readonly string[] {
  const sorted = records.toSorted((a, b) => (sortedBy(a) < sortedBy(b) ? -1 : 1));
  const lines = sorted.slice(0, MOST_NAMED).map((record) => `${nameOf(record)}: ${whyOf(record)}`);
  const more = sorted.length - MOST_NAMED;
  return more > 0 ? [...lines, `and ${counted(more, "more record")}, which your coach can name`] : lines;
}

/** Records without a day come last. */
function sortedBy({ date = "9999", time = "", file, place = "" }: OpenRecord): string {
  return `${date} ${time} ${file} ${place}`;
}

/** `4 May 2019, 7:05, “Morning Run”` */
function nameOf({ kind, date, time, title, sport, file, place }: OpenRecord): string {
  const called = title ?? sport;
  const parts = [
    ...(date === undefined ? [] : [`${dayText(date)}${time === undefined ? "" : `, ${clockTime(time)}`}`]),
    ...(called === undefined ? [] : [`“${printable(called, 100)}”`]),
  ];
  if (parts.length > 0) return parts.join(", ");
  const what = kind === "equipment" ? "a piece of equipment" : kind === "course" ? "a course" : undefined;
  const where = `${printable(file, 100)}${place === undefined ? "" : `, ${place}`}`;
  return what === undefined ? where : `${what} in ${where}`;
}

/** `07:05:00` as `7:05`. */
function clockTime(time: string): string {
  return time.slice(0, 5).replace(/^0/, "");
}

function whyOf({ state, rule, found }: OpenRecord): string {
  if (state !== "quarantined") return NOT_TAKEN[state];
  const [, words = "", wordsOfFound] = REJECTED.find(([prefix]) => rule.startsWith(prefix)) ?? [];
  return wordsOfFound === undefined || found === undefined ? words : wordsOfFound(printable(found, 60));
}
