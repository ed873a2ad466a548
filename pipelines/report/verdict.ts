/**
 * "Is it done, is it good, and can the old account be closed?" The last answer is yes only with evidence: every record was read back and is
 * as planned, and nothing stayed out.
 */
import { defined } from "../../transforms/model/defined.ts";
import { describeColumns, describeSheets, sumOfUnread, type Unread } from "../../transforms/model/unread.ts";
import { grouped } from "../../transforms/text/grouped.ts";
import { printable } from "../../transforms/text/printable.ts";
import type { ReasonRow } from "../journal/counts.ts";
import { BRING_BACK } from "../journal/gone.ts";
import { isPromoteRule } from "../journal/promote-rules.ts";
import { resumeCommand } from "../journal/resume-command.ts";
import { isCurrent, type Looked, type Run, type VerifiedRun } from "../journal/run.ts";
import { countedAway, describeStaying, type Ledger, type RunSummary } from "../journal/summary.ts";
import { isGone } from "../log/describe-difference.ts";
import { surplusOf } from "../plan/records/last-look.ts";
import type { LeftByRun } from "../plan/records/open-lines.ts";
import { isFileChanged, planAgain, planAndLoad, WENT_AWAY } from "../sources/describe-changed.ts";
import { describeMinorValues } from "./minor-values.ts";
import { bringTogether, describeLacking, type SourceWords } from "./not-added.ts";
import { obstacle } from "./obstacle.ts";
import { byOwnRule, leftToCertificate } from "./own-rule.ts";
import { madeAndUndone, nothingOfIt, partly } from "./partial-runs.ts";
import type { Verdict } from "./schema.ts";
import { type TrackFacts, withoutTracks } from "./track-obstacles.ts";
import { withoutReading, withUnconfirmed, withUnread } from "./unread-obstacles.ts";

type Obstacle = Verdict["obstacles"][number];

/** The facts behind a verdict. */
export interface VerdictFacts extends TrackFacts {
  readonly summary: RunSummary;
  readonly verified: VerifiedRun | undefined;
  readonly reasons: readonly ReasonRow[];
  /** Records that the run overwrote, and that a later undo put back. */
  readonly undone: number;
  /** Records that the run made, and that its owner is to take out since an undo. */
  readonly madeByUndone?: number;
  /** The findings of the look after the run. */
  readonly looked?: Looked | undefined;
  /** The ledger with the current states of the records, after later runs and manual decisions; by default the run's own. */
  readonly now?: Ledger;
  /** Records that other runs of the journal left out of the log. */
  readonly others?: readonly LeftByRun[];
  /** Files that other runs could not read, and that nobody read since. */
  readonly unreadByOthers?: Unread | undefined;
  /** Other runs whose workouts lack values of their sources. */
  readonly lackingByOthers?: readonly RunSummary[];
  /** Values that a yes names: see `readMinorValues`. */
  readonly minorValues?: Verdict["minorValues"];
  /** Sheets that a yes names: see `readSheetsLeft`. */
  readonly sheetsLeft?: Unread | undefined;
  /** What a certificate knows, where it asks: it judges the conditions itself that nothing else can. */
  readonly certificate?: CertificateFacts | undefined;
}

/** What only a certificate knows of the sources of a run. */
export interface CertificateFacts {
  /** Files that have other bytes now than when they were read. Nobody knows whether records of them were edited, or are new. */
  readonly changedFiles: readonly string[];
}

/** The verdict on a run in its current state. */
export function judgeRun(facts: VerdictFacts): Verdict {
  const { summary, verified, certificate, minorValues } = facts;
  const sheetsLeft = facts.sheetsLeft && { count: facts.sheetsLeft.count, names: [...facts.sheetsLeft.names] };
  const { run, balanced } = summary;
  const all = facts.now ?? summary.all;
  const isDone = balanced && all.left === 0 && all.inDoubt === 0 && all.gone === 0 && run.state !== "superseded";
  const proof = proofOf(run, verified, surplusOf(facts.looked));
  const isGood = isDone && proof.length === 0;
  const { obstacles, accepted } = byOwnRule(run, all.read, [
    ...inTheWay(facts, all),
    ...proof,
    ...(certificate === undefined ? leftToCertificate(run) : []),
  ]);
  const canClose = obstacles.length === 0;
  const edited = verified?.edited ?? 0;
  const changedFiles = certificate?.changedFiles ?? [];
  const sentence = sentenceOf({
    ...{ summary, canClose, obstacles, accepted, edited, changedFiles },
    ...{ minorValues, sheetsLeft },
  });
  return {
    ...{ isDone, isGood, canClose, sentence, obstacles },
    ...(accepted.length > 0 && { accepted }),
    ...defined({ minorValues, sheetsLeft }),
  };
}

/** What stands against closing the account, but for the proof that the log is as planned. */
function inTheWay(facts: VerdictFacts, all: Ledger): readonly Obstacle[] {
  const { summary, reasons, undone, madeByUndone = 0, lackingByOthers = [] } = facts;
  const { run } = summary;
  // Others read a report, so it names no folder here. A certificate is kept by the person who pastes its commands.
  const as = facts.certificate === undefined ? "name" : "path";
  return [
    ...outOfOrder(summary),
    ...notInTheLog(all, run, reasons),
    ...changedSincePlan(summary),
    ...leftBefore(facts.others ?? []),
    ...withoutTracks(summary, facts),
    ...withoutValues(summary, as),
    ...lackingBefore(lackingByOthers, as),
    ...withUnread(summary),
    ...withUnconfirmed(summary),
    ...withoutReading(sumOfUnread([summary.unreadFiles, facts.unreadByOthers])),
    ...moreThanOnce(facts),
    ...twiceByAnswer(summary),
    ...undecidedInLog(summary),
    ...twiceByValues(summary),
    ...partly(run, undone),
    ...madeAndUndone(run, madeByUndone),
    ...leftOutByDates(reasons),
    ...nothingOfIt(all, reasons),
  ];
}

/** The command that checks all records that belong together. A retry covers only single records, so the command names the original run. */
export function verifyAllOf({ options: { retryOf } }: Pick<Run, "options">): string {
  return retryOf === undefined ? "logferry verify" : `logferry verify --run ${retryOf}`;
}

function outOfOrder({ run, all, balanced }: RunSummary): readonly Obstacle[] {
  return [
    ...obstacle(balanced ? 0 : 1, {
      code: "unbalanced",
      text: () => `the ledger doesn't balance: ${all.read} records were read, and not every one is accounted for`,
      todo: "This is a bug in logferry: please report it.",
    }),
    ...obstacle(run.state === "superseded" ? 1 : 0, {
      code: "superseded",
      text: () => "this run was replaced by a later plan",
      todo: "Look at the later run: logferry status",
    }),
  ];
}

/** The run sent what its plan had read. Nobody read what the files got in between. */
function changedSincePlan({ run, changedSources }: RunSummary): readonly Obstacle[] {
  return obstacle(changedSources === undefined ? 0 : 1, {
    code: "source-changed",
    text: () => `the sources changed between the plan and its load (${changedSources})`,
    todo: `${changedSources?.includes(WENT_AWAY) === true ? "Put back what went away, or leave it out. " : ""}${planAndLoad(run)}`,
  });
}

/** A file that changed is loaded by a new plan alone. */
function remedyOfFailed(run: Run, reasons: readonly ReasonRow[]): string {
  const isChanged = reasons.some(({ state, rule }) => state === "failed" && isFileChanged(rule));
  return isChanged
    ? `A file changed or went away since the plan. ${planAgain(run)}. A file that went away and is back as it was: logferry retry`
    : "The reasons say what went wrong. Once that is mended: logferry retry";
}

function notInTheLog(all: Ledger, run: Run, reasons: readonly ReasonRow[]): readonly Obstacle[] {
  const isPlan = run.state === "planned";
  return [
    ...obstacle(all.left, {
      code: "left",
      text: (n) => `${records(n)} ${n === 1 ? "is" : "are"} still to be ${isPlan ? "carried over" : "done"}`,
      todo: `${isPlan ? "Do what is planned" : "Go on where the run stopped"}: ${resumeCommand(run)}`,
    }),
    ...obstacle(all.inDoubt, {
      code: "in-doubt",
      text: (n) => `of ${records(n)} nobody knows whether the log took ${n === 1 ? "it" : "them"}: the answer was lost`,
      todo: "Let logferry look again: logferry retry. Where the service can't list what it holds, look there around the day.",
    }),
    ...obstacle(all.gone, {
      code: "gone",
      text: (n) =>
        `${records(n)} ${n === 1 ? "was" : "were"} loaded once, and ${n === 1 ? "is" : "are"} no longer in the log`,
      todo: `Somebody deleted ${all.gone === 1 ? "it" : "them"}, or the log was put back to an older state. Load ${all.gone === 1 ? "it" : "them"} again with: ${BRING_BACK}`,
    }),
    ...obstacle(all.refused, {
      code: "refused",
      text: (n) => `the log refused ${records(n)}`,
      todo: "The reasons say what it objects to. Once that is mended: logferry retry",
    }),
    ...obstacle(all.failed, {
      code: "failed",
      text: (n) => `${records(n)} could not be sent`,
      todo: remedyOfFailed(run, reasons),
    }),
    ...rejectedWithTwins(all, reasons),
  ];
}

/** Rejected records. Once all others are in the log, the duplicates of records that stay out count with them. */
function rejectedWithTwins(all: Ledger, reasons: readonly ReasonRow[]): readonly Obstacle[] {
  const { quarantined, mergedAbsent = 0 } = all;
  const twins = all.left + all.inDoubt + all.gone + all.failed === 0 ? mergedAbsent : 0;
  // Of both kinds, a later run may have settled either. So nobody counts them apart then.
  const ofRejected = reasons.filter(({ state }) => state === "quarantined");
  const waiting = ofRejected.filter(({ rule = "" }) => isPromoteRule(rule)).length;
  const areAllWaiting = waiting > 0 && waiting === ofRejected.length;
  const was = areAllWaiting ? (quarantined === 1 ? "waits" : "wait") : quarantined === 1 ? "was" : "were";
  const orWait = waiting > 0 ? ", or wait for your decision" : "";
  const rejected = `${records(quarantined)} ${was} ${areAllWaiting ? "for your decision" : `rejected${orWait}`}`;
  const beside = `${records(twins)} ${twins === 1 ? "is a duplicate of one that stays" : "are duplicates of records that stay"} out`;
  return obstacle(quarantined + twins, {
    code: "rejected",
    text: () => [quarantined > 0 && rejected, twins > 0 && beside].filter((text) => text !== false).join(", and "),
    todo:
      quarantined > 0
        ? `${areAllWaiting ? "Why each waits" : "What is wrong with each"}, and what to do about it: logferry quarantine`
        : "Import the same sources once more: a new plan counts the duplicate by itself.",
  });
}

/** What another run found to be missing is still in the old account alone, also where this run doesn't name its sources. */
function lackingBefore(others: readonly RunSummary[], as: SourceWords): readonly Obstacle[] {
  const [first] = others;
  const runs = others.map(({ run }) => run.id).join(", ");
  return obstacle(
    others.reduce((sum, { notAdded }) => sum + (notAdded?.workouts ?? 0), 0),
    {
      code: "not-added-by-others",
      text: (n) =>
        `${grouped(n)} ${n === 1 ? "workout" : "workouts"} of ${others.length === 1 ? `run ${runs}` : `runs ${runs}`} ${n === 1 ? "lacks" : "lack"} values that only ${others.length === 1 ? "its" : "their"} sources have`,
      todo: first === undefined ? "" : `See them: logferry certify --run ${first.run.id}. ${bringTogether(first, as)}`,
    },
  );
}

/** Values that the log has a field for are still in the old account alone. */
function withoutValues(summary: RunSummary, as: SourceWords): readonly Obstacle[] {
  return obstacle(summary.notAdded?.workouts ?? 0, {
    code: "not-added",
    text: () => describeLacking(summary) ?? "",
    todo: bringTogether(summary, as),
  });
}

function leftBefore(others: readonly LeftByRun[]): readonly Obstacle[] {
  const total = others.reduce((sum, { count: n }) => sum + n, 0);
  const [first] = others;
  const runs = others.map(({ run }) => run).join(", ");
  return obstacle(total, {
    code: "left-by-others",
    text: (n) =>
      `${records(n)} that ${others.length === 1 ? `run ${runs}` : `runs ${runs}`} left out ${n === 1 ? "is" : "are"} still not in the log`,
    todo: `See them: logferry status --run ${first?.run}. Send them again: ${first?.again}. Or say of each that it stays out; their ids: logferry quarantine --run ${first?.run}`,
  });
}

function moreThanOnce({ looked, verified }: Pick<VerdictFacts, "looked" | "verified">): readonly Obstacle[] {
  const surplus = surplusOf(looked);
  // A verification also counts by values, and may know of more.
  const more = surplus >= (verified?.doubled ?? 0) ? surplus : 0;
  const days = looked?.surplus.flatMap(({ day }) => day ?? []) ?? [];
  const when = days.length === 0 ? "" : ` (${days.slice(0, 5).join(", ")}${days.length > 5 ? " ..." : ""})`;
  return obstacle(more, {
    code: "more-than-once",
    text: (n) => `the log holds ${records(n)} more than it should${when}`,
    todo: "Look at these days in your log. Delete what is there twice, then check it: logferry verify",
  });
}

/** A person said that two records are one workout, and the log has both of them. */
function twiceByAnswer({ run, saidTwice }: RunSummary): readonly Obstacle[] {
  return obstacle(saidTwice?.count ?? 0, {
    code: "more-than-once",
    text: (n) =>
      `${grouped(n)} ${n === 1 ? "workout is" : "workouts are"} in the log twice, as you said: ${saidTwice?.found}`,
    todo: `Delete one of each in your log. ${planAndLoad(run)}. If they are two workouts, say so: logferry plan review`,
  });
}

/** A fix, a "keep" or the answer that two are one was taken back after it was loaded. */
function undecidedInLog({ staysInLog = 0 }: RunSummary): readonly Obstacle[] {
  return obstacle(staysInLog, {
    code: "stays-in-log",
    text: describeStaying,
    todo: "Say once more what they are: fix, keep or drop each in the rehearsal, or say of a pair whether it is one or two. Rehearse once more, and promote. What is to go, delete in your log.",
  });
}

/** Two records are one workout by their values and clocks, and an earlier run loaded each of them. */
function twiceByValues({ run, foundTwice }: RunSummary): readonly Obstacle[] {
  return obstacle(foundTwice?.count ?? 0, {
    code: "more-than-once",
    text: (n) =>
      `${grouped(n)} ${n === 1 ? "workout is" : "workouts are"} in the log twice, by ${n === 1 ? "its" : "their"} values: ${foundTwice?.found}`,
    todo: `Look at them: logferry plan review. Delete one of each in your log. ${planAndLoad(run)}. If they are two workouts, say so there.`,
  });
}

function leftOutByDates(reasons: readonly ReasonRow[]): readonly Obstacle[] {
  const outside = reasons.filter(({ rule }) => rule === "plan/outside-dates");
  const n = outside.reduce((sum, row) => sum + row.count, 0);
  return obstacle(n, {
    code: "outside-dates",
    text: () => `${grouped(n)} ${n === 1 ? "workout lies" : "workouts lie"} outside the days that were asked for`,
    todo: "Import again without --since and --until, unless they are to stay out.",
  });
}

function proofOf(run: Run, verified: VerifiedRun | undefined, surplus: number): readonly Obstacle[] {
  if (verified === undefined) {
    return obstacle(1, {
      code: "not-verified",
      text: () => "nothing was read back from the log yet",
      todo: "Read everything back and compare it: logferry verify",
    });
  }
  return [
    ...obstacle(isCurrent(run, verified) ? 0 : 1, {
      code: "verified-too-early",
      text: () => "the run went on since it was verified",
      todo: "Verify it again: logferry verify",
    }),
    ...obstacle(verified.differing, {
      code: "differs",
      text: (n) => `${records(n)} ${n === 1 ? "is" : "are"} not in the log as planned`,
      todo: remedyOfDiffering(verified),
    }),
    ...obstacle(verified.claimedTwice, {
      code: "claimed-twice",
      text: (n) => `${records(n)} of the log ${n === 1 ? "stands" : "stand"} for two of the sources`,
      todo: "Two workouts were taken for one. Please report it.",
    }),
    ...obstacle(surplus >= verified.doubled ? 0 : verified.doubled, {
      code: "more-than-once",
      text: (n) => `${records(n)} of the log ${n === 1 ? "equals" : "equal"} another one, and may be there twice`,
      todo: "See which: logferry verify --verbose. Delete in your log what is there twice, then check it: logferry verify",
    }),
    ...obstacle(verified.unread, {
      code: "unread",
      text: (n) => `${records(n)} could not be read back from the log`,
      todo: "The log refused to show them. See the reasons, and read everything back once more: logferry verify",
    }),
  ];
}

/** What is missing is loaded again, and what differs needs a look. */
function remedyOfDiffering({ differing, examples }: VerifiedRun): string {
  const missing = examples.filter(({ differences }) => differences.some(isGone)).length;
  const bringBack = `Load again what is no longer in the log: ${BRING_BACK}.`;
  if (missing >= differing) return `${bringBack} Then verify again.`;
  return `${missing > 0 ? `${bringBack} ` : ""}Look at the differences: logferry verify --verbose. If somebody edited them there, import the same sources again. That keeps the edits. Then verify again.`;
}

function sentenceOf({
  summary: { run, all, newColumns, rowsAway, droppedInLog },
  canClose,
  obstacles,
  accepted,
  edited,
  changedFiles,
  minorValues,
  sheetsLeft,
}: Pick<Verdict, "canClose" | "obstacles"> & {
  readonly accepted: Verdict["obstacles"];
  readonly summary: RunSummary;
  readonly edited: number;
  readonly changedFiles: readonly string[];
  readonly minorValues: Verdict["minorValues"];
  readonly sheetsLeft: Verdict["sheetsLeft"];
}): string {
  if (canClose) {
    // Nobody knows whether the log has a field for them. A new export would have the same columns, and the person keeps this one.
    const columns = newColumns === undefined ? "" : `; ${describeColumns(newColumns)}`;
    const inLog = [rowsAway, droppedInLog].flatMap((one) => (one === undefined ? [] : `; ${countedAway(one)}`));
    const sheets = sheetsLeft === undefined ? "" : `; ${describeSheets(sheetsLeft)}`;
    const caveat = `${columns}${sheets}${describeMinorValues(minorValues)}${inLog.join("")}`;
    const besides =
      accepted.length === 0 ? "" : ` Your own rule accepts: ${accepted.map(({ text }) => text).join("; ")}.`;
    return `Yes, as far as these sources go: every record of them that is to be in the log was read back, and each field is as planned${edited === 0 ? "" : `, but for ${records(edited)} that somebody edited there, and that ${edited === 1 ? "was" : "were"} left so`}${caveat}${describeChangedSince(changedFiles)}.${besides}`;
  }
  if (run.state === "planned") return "Not yet: this is a plan, and nothing was changed.";
  if (obstacles.length === 1 && obstacles[0]?.code === "not-verified") {
    return `Not yet: everything was carried over${all.read === 0 ? "" : ", but"} nothing was read back to prove it.`;
  }
  return notYet(obstacles);
}

/** Most changed files that an answer names. */
const MOST_NAMED = 3;

/** What files that changed since they were read mean for an answer: `, but runs.csv changed since`. Empty where none did. */
export function describeChangedSince(files: readonly string[]): string {
  if (files.length === 0) return "";
  const named = files.slice(0, MOST_NAMED).map((file) => printable(file, 120));
  const more = files.length > MOST_NAMED ? ` and ${grouped(files.length - MOST_NAMED)} more` : "";
  return `, but ${named.join(", ")}${more} changed since: values that were edited there are not in the log`;
}

/** The sentence of a verdict that isn't yes. */
export function notYet(obstacles: Verdict["obstacles"]): string {
  return `Not yet: ${obstacles.map(({ text }) => text).join("; ")}.`;
}

function records(n: number): string {
  return `${grouped(n)} record${n === 1 ? "" : "s"}`;
}
