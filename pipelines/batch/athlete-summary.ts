/**
 * The summary for an athlete, in plain words: the loaded records, the others with their reasons, the values that the log can't hold, and
 * the next steps. It contains nothing about other athletes or the coach's machine, and no command. The coach's reasons are not passed on
 * unchanged.
 */
import { adviceFor } from "../plan/advice.ts";
import { counted, monthName, number, span, withUnit } from "../report/page/wording.ts";
import type { Report } from "../report/schema.ts";
import { namedRecords } from "./athlete-summary-records.ts";
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
