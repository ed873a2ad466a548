/**
 * The summary for an athlete, in plain words: the loaded records, the others with their reasons, the values that the log can't hold, and
 * the next steps. It contains nothing about other athletes or the coach's machine, and no command. The coach's reasons are not passed on
 * unchanged.
 */

import { printable } from "../../transforms/text/printable.ts";
import { adviceFor } from "../plan/advice/advice.ts";
import { counted, dayText, monthName, number, span, withUnit } from "../report/page/wording.ts";
import type { Report } from "../report/schema.ts";
import type { OpenRecord } from "./open-records.ts";
import type { AthleteStatus } from "./outcome.ts";

/** The summary for an athlete, before its layout as a page or as text. */
export interface AthleteSummary {
  readonly title: string;
  readonly greeting: string;
  readonly sections: readonly SummarySection[];
  readonly closing: string;
}

/** Paragraphs and a list under a heading. */
export interface SummarySection {
  readonly heading?: string;
  readonly paragraphs?: readonly string[];
  readonly items?: readonly string[];
  /** An address to open: the athlete's log. */
  readonly link?: { readonly text: string; readonly url: string };
}

/** The facts behind a summary. */
export interface SummaryFacts {
  readonly athlete: string;
  readonly status: AthleteStatus;
  /** The address of the athlete's log. */
  readonly url: string | undefined;
  /** The report of their run; undefined without a run. */
  readonly report: Report | undefined;
  /** Their records that were not loaded, to be named one by one. */
  readonly open?: readonly OpenRecord[];
}

/** By status: its meaning for the athlete, and their next steps. */
const NEWS: Readonly<
  Record<AthleteStatus, { readonly title: string; readonly says: string; readonly advice: string }>
> = {
  verified: {
    title: "Your training history is in your log",
    says: "Everything was read back from your log afterwards and compared, field by field: it is as it was planned.",
    advice:
      "Open your log and look around. Where something is not as you remember it, change it there: what you change stays so.",
  },
  loaded: {
    title: "Your training history is in your log",
    says: "It was not read back for comparison yet.",
    advice:
      "Open your log and look around. Where something is not as you remember it, change it there: what you change stays so.",
  },
  partly: {
    title: "Your training history is in your log, but for a few records",
    says: "A few records did not come over. They are listed below, each with the reason.",
    advice: "Open your log and look around. Look at what did not come over, and tell your coach what you know of it.",
  },
  differs: {
    title: "Your training history is in your log, and a few records differ",
    says: "When we read it back, a few records differed from what was sent. This also happens when you edit a workout in the meantime.",
    advice:
      "Open your log and look around. If you edited workouts these days, tell your coach. You need do nothing else.",
  },
  stopped: {
    title: "Your training history is on its way",
    says: "It is not complete yet, because the transfer was stopped. It will be resumed. Nothing is lost, and nothing comes twice.",
    advice: "You only need to wait.",
  },
  unbegun: {
    title: "Your training history is about to be carried over",
    says: "We have not looked at it yet, and nothing was written.",
    advice: "You only need to wait.",
  },
  ready: {
    title: "Your training history is about to be carried over",
    says: "We have looked at it. Nothing was written yet.",
    advice: "You only need to wait.",
  },
  held: {
    title: "We need to be sure that it is yours",
    says: "We are not certain that the archive belongs to you and your log. So nothing was written to your log.",
    advice:
      "Your coach looks at it. It helps to tell them which archive you sent, and by which name you sign in to your log.",
  },
  login: {
    title: "We can't open your log any more",
    says: "Your log no longer accepts the access that you allowed: it was taken back, or has expired.",
    advice:
      "Open your log at the address below and sign in. Your coach sends you a new request for access. Allow it there, and the transfer is resumed.",
  },
  source: {
    title: "Your archive can't be read",
    says: "The archive that you sent is damaged, or we don't know its format. Nothing of it was written to your log.",
    advice:
      "Please export or download it once more and send it to your coach as it is, without unpacking it or opening it in another program.",
  },
  service: {
    title: "Your log could not be reached",
    says: "Your log's service did not answer as it should. The transfer will be resumed. Nothing is lost, and nothing comes twice.",
    advice: "You need do nothing: we will try again.",
  },
  locked: {
    title: "Your log was in use",
    says: "Another program was working on your log at that moment.",
    advice: "You need do nothing: we will try again.",
  },
  setup: {
    title: "Your training history was not carried over yet",
    says: "A setting on our side was not right. Nothing was written to your log.",
    advice: "You need do nothing: we will try again.",
  },
  bug: {
    title: "Your training history was not carried over yet",
    says: "Something went wrong on our side. The transfer will be resumed. Nothing is lost, and nothing comes twice.",
    advice: "You need do nothing: we will try again.",
  },
};

/** Statuses of athletes who may have something in the log. */
const TOLD: readonly AthleteStatus[] = [
  "verified",
  "loaded",
  "partly",
  "differs",
  "stopped",
  "login",
  "service",
  "bug",
];

/** Summarises for an athlete the loaded records, the others, and the next steps. */
export function summariseAthlete({ athlete, status, url, report, open }: SummaryFacts): AthleteSummary {
  const { title, says, advice } = NEWS[status];
  const isTold = report !== undefined && TOLD.includes(status);
  return {
    title,
    greeting: `Dear ${athlete},`,
    sections: [
      { paragraphs: [says] },
      ...(isTold ? [cameOver(report), ...notCarried(report, open), ...cannotHold(report)] : []),
      {
        heading: "What to do",
        paragraphs: [
          advice,
          ...(isTold
            ? ["Keep the archive you sent: it holds what is not in the log, and photos and comments if it has any."]
            : []),
        ],
        ...(url !== undefined && { link: { text: "Your log", url } }),
      },
    ],
    closing: "Your coach",
  };
}

function cameOver({ totals: { inLog }, byActivity, byMonth, byKind, log }: Report): SummarySection {
  if (inLog.workouts === 0)
    return { heading: "What came over", paragraphs: ["No workout is in your log by this yet."] };
  const months = byMonth.flatMap((row) => (row.inLog.workouts > 0 && row.month !== undefined ? [row.month] : []));
  const [first, last] = [months[0], months.at(-1)];
  const when =
    first === undefined || last === undefined
      ? ""
      : first === last
        ? `, in ${monthName(first)}`
        : `, from ${monthName(first)} to ${monthName(last)}`;
  const things = (["equipment", "course"] as const).flatMap((kind) => {
    const { created, updated, unchanged } = byKind[kind];
    const all = created + updated + unchanged;
    if (all === 0) return [];
    return kind === "course" ? [counted(all, "course")] : [counted(all, "piece of equipment", "pieces of equipment")];
  });
  return {
    heading: "What came over",
    paragraphs: [
      `${counted(inLog.workouts, "workout")}, ${withUnit(inLog.metres, log.distanceUnit)} in ${span(inLog.seconds)}${when}.${things.length === 0 ? "" : ` With them ${things.join(" and ")}.`}`,
    ],
    items: byActivity
      .filter((row) => row.inLog.workouts > 0)
      .map(
        (row) =>
          `${row.activity ?? "other"}: ${counted(row.inLog.workouts, "workout")}${row.inLog.metres > 0 ? `, ${withUnit(row.inLog.metres, log.distanceUnit)}` : ""}`,
      ),
  };
}

/** States of records that were not loaded, with a text for records without a more specific rule. */
const STATE_WORDS: Readonly<Partial<Record<Report["reasons"][number]["state"], string>>> = {
  quarantined: "something about it can't be right",
  refused: "your log's service did not take it",
  failed: "it could not be sent",
  "in-doubt": "it was sent, and whether it arrived is still to be found out",
  gone: "it was in your log, and is no longer there",
  skipped: "it is no workout, or lies outside the days that were asked for",
};

function notCarried({ reasons, ledger }: Report, open: readonly OpenRecord[] = []): readonly SummarySection[] {
  const items = reasons.flatMap(({ state, rule, count, means }) => {
    const words = STATE_WORDS[state];
    if (words === undefined || open.some((record) => record.state === state)) return [];
    const why = state === "quarantined" ? (means ?? adviceFor(rule ?? "")?.means ?? words) : words;
    return [`${counted(count, "record")}: ${why}`];
  });
  const left = ledger.left > 0 ? [`${counted(ledger.left, "record")}: still to be carried over`] : [];
  const merged =
    ledger.merged > 0
      ? [
          `${counted(ledger.merged, "record")} stood in two places of your archives, and ${ledger.merged === 1 ? "is" : "are"} in the log once`,
        ]
      : [];
  const all = [...items, ...left, ...merged];
  return [
    ...(open.length === 0 ? [] : [{ heading: "What did not come over, and why", items: namedRecords(open) }]),
    ...(all.length === 0
      ? []
      : [
          {
            heading: open.length === 0 ? "What was rejected or left out, and why" : "What was left out, and why",
            items: all,
          },
        ]),
  ];
}

function cannotHold({ losses }: Report): readonly SummarySection[] {
  if (losses.length === 0) return [];
  return [
    {
      heading: "What is not in your log",
      paragraphs: ["These stay in your archive: the log has no field for them, or they can't be true."],
      items: losses.map(({ field, count }) => `${field} of ${number(count)} ${count === 1 ? "record" : "records"}`),
    },
  ];
}

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
  ["csv/no-such-day", "its day doesn't exist", (found) => `its day, “${found}”, doesn't exist`],
  ["csv/bad-time", "its time of day can't be read", (found) => `its time of day, “${found}”, can't be read`],
  ["csv/no-date", "it has no date"],
  ["table/bad-date", "its date can't be read", (found) => `its date, “${found}”, can't be read`],
  ["table/no-date", "it has no date"],
  ["strava/bad-date", "its date can't be read", (found) => `its date, “${found}”, can't be read`],
  ["workout/two-sports", "it stands there twice, as two sports, so only one of them came over"],
  ["workout/", "its numbers can't be right"],
  ["csv/cut-row", "your file ends in the middle of this line"],
  ["csv/nul-block", "a piece of your file is damaged here, and lines may be missing"],
  ["xml/nul-block", "a piece of your file is damaged here, and workouts may be missing"],
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
function namedRecords(records: readonly OpenRecord[]): readonly string[] {
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
