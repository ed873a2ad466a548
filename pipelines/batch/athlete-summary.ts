/**
 * What an athlete is told, in plain words: what came over, what didn't and why, what the log can't hold, what to do. It holds nothing of
 * any other athlete, nothing of the coach's machine, and no command: the reasons that a coach reads are not passed on as they are.
 */
import { adviceFor } from "../plan/advice.ts";
import { counted, monthName, number, span, withUnit } from "../report/page/wording.ts";
import type { Report } from "../report/schema.ts";
import type { Standing } from "./outcome.ts";

/** A letter, before it is set out as a page or as text. */
export interface Letter {
  readonly title: string;
  readonly greeting: string;
  readonly sections: readonly LetterSection[];
  readonly closing: string;
}

/** Paragraphs and a list under a heading. */
export interface LetterSection {
  readonly heading?: string;
  readonly paragraphs?: readonly string[];
  readonly items?: readonly string[];
  /** An address to open: the athlete's log. */
  readonly link?: { readonly text: string; readonly url: string };
}

/** What a letter is made from. */
export interface LetterFacts {
  readonly athlete: string;
  readonly standing: Standing;
  /** The address of the athlete's log. */
  readonly url: string | undefined;
  /** What became of their run; undefined where there is none. */
  readonly report: Report | undefined;
}

/** By standing: what it means for the athlete, and what they can do. */
const NEWS: Readonly<Record<Standing, { readonly title: string; readonly says: string; readonly advice: string }>> = {
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
    says: "A few records were set aside, because something about them can't be right. They are listed below.",
    advice: "Open your log and look around. Look at what was set aside, and tell your coach what you know of it.",
  },
  differs: {
    title: "Your training history is in your log, and a few records differ",
    says: "When it was read back, a few records were not as they had been sent. That is so, too, where you edited them in the meantime.",
    advice:
      "Open your log and look around. If you edited workouts these days, tell your coach; there is nothing else to do.",
  },
  stopped: {
    title: "Your training history is on its way",
    says: "It is not complete yet: carrying it over was stopped in between, and it will be gone on with. Nothing is lost or doubled by that.",
    advice: "There is nothing to do for you but to wait.",
  },
  unbegun: {
    title: "Your training history is about to be carried over",
    says: "It was not looked at yet, and nothing was written.",
    advice: "There is nothing to do for you but to wait.",
  },
  ready: {
    title: "Your training history is about to be carried over",
    says: "It was looked at, and nothing was written yet.",
    advice: "There is nothing to do for you but to wait.",
  },
  held: {
    title: "We need to be sure that it is yours",
    says: "Before anything was written, something did not fit together: whether the archive, the log and you belong together is not certain. So nothing of it was written to your log.",
    advice:
      "Your coach looks at it. It helps to tell them which archive you sent, and by which name you sign in to your log.",
  },
  login: {
    title: "We can't open your log any more",
    says: "Your log no longer accepts the access that you allowed: it was taken back, or has expired.",
    advice:
      "Open your log at the address below and sign in. Your coach sends you a new request for access; allow it there, and it is gone on with.",
  },
  source: {
    title: "Your archive can't be read",
    says: "The archive that you sent is damaged, or it is not an export that is known. Nothing of it was written to your log.",
    advice:
      "Please export or download it once more and send it to your coach as it is, without unpacking it or opening it in another program.",
  },
  service: {
    title: "Your log could not be reached",
    says: "Your log's service did not answer as it should. What was begun will be gone on with; nothing is lost or doubled by that.",
    advice: "There is nothing to do for you: it will be tried again.",
  },
  locked: {
    title: "Your log was in use",
    says: "Your log was being worked on by another program just then.",
    advice: "There is nothing to do for you: it will be tried again.",
  },
  setup: {
    title: "Your training history was not carried over yet",
    says: "A setting on our side was not right. Nothing was written to your log.",
    advice: "There is nothing to do for you: it will be tried again.",
  },
  bug: {
    title: "Your training history was not carried over yet",
    says: "Something went wrong on our side. What was begun will be gone on with; nothing is lost or doubled by that.",
    advice: "There is nothing to do for you: it will be tried again.",
  },
};

/** Standings of athletes of whose archives something may be in the log. */
const TOLD: readonly Standing[] = ["verified", "loaded", "partly", "differs", "stopped", "login", "service", "bug"];

/** The letter to an athlete. */
export function letterTo({ athlete, standing, url, report }: LetterFacts): Letter {
  const { title, says, advice } = NEWS[standing];
  const isTold = report !== undefined && TOLD.includes(standing);
  return {
    title,
    greeting: `Dear ${athlete},`,
    sections: [
      { paragraphs: [says] },
      ...(isTold ? [cameOver(report), ...notCarried(report), ...cannotHold(report)] : []),
      {
        heading: "What to do",
        paragraphs: [
          advice,
          ...(isTold
            ? [
                "Keep the archive you sent: it holds what the log has no field for, and photos and comments if it has any.",
              ]
            : []),
        ],
        ...(url !== undefined && { link: { text: "Your log", url } }),
      },
    ],
    closing: "Your coach",
  };
}

function cameOver({ totals: { inLog }, byActivity, byMonth, byKind, log }: Report): LetterSection {
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

/** States of records that did not come over, with what is said where no rule says more. */
const STATE_WORDS: Readonly<Partial<Record<Report["reasons"][number]["state"], string>>> = {
  quarantined: "something about it can't be right",
  refused: "your log's service did not take it",
  failed: "it could not be sent",
  "in-doubt": "it was sent, and whether it arrived is still to be found out",
  skipped: "it is no workout, or lies outside the days that were asked for",
};

function notCarried({ reasons, ledger }: Report): readonly LetterSection[] {
  const items = reasons.flatMap(({ state, rule, count, means }) => {
    const words = STATE_WORDS[state];
    if (words === undefined) return [];
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
  return all.length === 0 ? [] : [{ heading: "What was set aside or left out, and why", items: all }];
}

function cannotHold({ losses }: Report): readonly LetterSection[] {
  if (losses.length === 0) return [];
  return [
    {
      heading: "What your log can't hold",
      paragraphs: ["The log has no field for these, so they stay in your archive:"],
      items: losses.map(({ field, count }) => `${field} of ${number(count)} ${count === 1 ? "record" : "records"}`),
    },
  ];
}
