/** Prints the history of one record for a person: `logferry explain`. */

import type { Line } from "../../pipelines/journal/line.ts";
import type { Difference } from "../../pipelines/journal/run.ts";
import { shortId } from "../../pipelines/journal/short-id.ts";
import { sidesOf } from "../../pipelines/log/describe-difference.ts";
import { describeAnswer } from "../../pipelines/plan/pairs/pair-answers.ts";
import { describeFix } from "../../pipelines/plan/records/overrides.ts";
import {
  type ComparedWorkout,
  type HistoryEntry,
  pathOf,
  type RecordHistory,
  reference,
  trackEntry,
} from "../../pipelines/review/explain.ts";
import type { FieldSource } from "../../pipelines/review/field-sources.ts";
import { describeFollowing } from "../../transforms/courses/describe-following.ts";
import { factsInWords } from "../../transforms/matching/describe-likeness.ts";
import { describeOrigin, describeProblem } from "../../transforms/model/issue.ts";
import type { Workout } from "../../transforms/model/workout.ts";
import { measureText } from "../../transforms/units.ts";
import type { Output } from "../terminal/output.ts";

/** The current state of a record in the log. */
export interface NowInLog {
  /** Undefined if the log refused to show the record. */
  readonly isThere: boolean | undefined;
  /** Differences from the sent values. */
  readonly differences: readonly Difference[];
  /** The log's answer, if it refused to show the record. */
  readonly reason?: string;
}

/**
 * Prints a history.
 *
 * @param whole the history of the record that this one was merged into, if it was
 * @param now the time of the request to the log
 */
export function printHistory(
  output: Output,
  history: RecordHistory,
  whole: RecordHistory | undefined,
  now: NowInLog | undefined,
): void {
  output.emit("history", asJson(history, now));
  if (whole !== undefined) output.emit("history", asJson(whole, now));
  const last = history.entries.at(-1) ?? history.entries[0];
  output.say(`${history.id}: ${last.line.kind} from ${describeOrigin(last.line.origin)}`);
  part(output, "Where it lies", whereItLies(last));
  part(output, "What was read", whatWasRead(last));
  part(output, "How it became a record of your log", howItBecame(history, last));
  part(
    output,
    "Which workouts of that day it was compared with",
    history.comparedWith.map(
      ({ with: other, isSame, why }) => `${isSame ? "the same:" : "another:"} ${describeOther(other)}: ${why}`,
    ),
  );
  part(output, "What you said in plan review", history.answers.map(describeAnswer));
  for (const entry of history.entries)
    part(output, `Run ${entry.run.id}, ${minute(entry.run.createdAt)}`, whatHappened(entry));
  if (whole !== undefined) {
    for (const entry of whole.entries)
      part(
        output,
        `As ${whole.id}, which it is one with: run ${entry.run.id}, ${minute(entry.run.createdAt)}`,
        whatHappened(entry),
      );
  }
  part(output, "Which source gives each field", (whole ?? history).fieldSources.map(describeFieldSource));
  part(
    output,
    "What is not put in the log",
    (whole ?? history).unsupported.map(({ field, value }) => `${field}: ${value}`),
  );
  part(
    output,
    "What is not added, because the log had the workout already",
    (whole ?? history).notAdded.map(({ field, value, inLog, isUnknown }) => {
      const theirs = isUnknown
        ? "a listing doesn't show whether it has this"
        : inLog && `the log has ${inOneLine(inLog)}`;
      return `${field}: ${inOneLine(value)}${theirs ? ` (${theirs})` : ""}`;
    }),
  );
  part(
    output,
    "What fills blank fields of the workout in the log",
    (whole ?? history).filled.map(({ field, value }) => `${field}: ${inOneLine(value)}`),
  );
  output.say();
  output.conclude(whereItStands(history, whole, now));
}

function part(output: Output, title: string, lines: readonly string[]): void {
  if (lines.length === 0) return;
  output.say("", title);
  for (const line of lines) output.say(`  ${line}`);
}

const WHY_THIS_SOURCE: Readonly<Record<FieldSource["why"], string>> = {
  answer: "you said so in plan review",
  prefer: "you prefer it (--prefer)",
  only: "no other source has one",
  order: "by the usual order (docs/sources.md)",
};

function describeFieldSource({ field, from, why }: FieldSource): string {
  return `${field}: ${from.map(describeOrigin).join(" and ")}, ${WHY_THIS_SOURCE[why]}`;
}

function describeOther(other: ComparedWorkout["with"]): string {
  return "origin" in other
    ? `${shortId(other.key)} ${describeOrigin(other.origin)}`
    : `${other.id} in your log${other.facts === undefined ? "" : `, ${factsInWords(other.facts)}`}`;
}

function whereItLies({ run, line }: HistoryEntry): string[] {
  const track = trackEntry(line);
  return [
    `${pathOf(run, line) ?? line.origin.archive}, read as ${line.origin.connector}`,
    ...(track === undefined
      ? []
      : [`its track: ${[track.entry, track.recording].filter((text) => text !== undefined).join(", ")}`]),
  ];
}

function whatWasRead({ details: { asRead, issue } }: HistoryEntry): string[] {
  const lines = Object.entries(asRead ?? {}).map(([name, value]) => `${name}: ${described(name, value)}`);
  return issue === undefined ? lines : [...lines, describeProblem(issue)];
}

/** A value with its unit. A start shows everything that its source says. */
function described(name: string, value: unknown): string {
  if (name === "duration") return measureText({ unit: "s", value: Number(value) });
  if (typeof value !== "object" || value === null) return String(value);
  if ("unit" in value && "value" in value) return measureText({ unit: String(value.unit), value: Number(value.value) });
  // Who gave the local time stands below, in words.
  return Object.entries(value)
    .filter(([member]) => member !== "basis" && member !== "isTyped")
    .map(([member, one]) => {
      if (member === "instant") return `${new Date(Number(one)).toISOString().replace(".000", "")}`;
      if (member === "position")
        return `at ${Object.values(one)
          .map((degrees) => Number(degrees).toFixed(2))
          .join(", ")}`;
      if (member === "offsetMinutes") return `${Number(one)} minutes east of UTC`;
      return member === "date" || member === "time" ? String(one) : `${member} ${described(member, one)}`;
    })
    .join(", ");
}

function howItBecame(history: RecordHistory, { line, details }: HistoryEntry): string[] {
  if (line.kind !== "workout") return history.manualDecisions.map(describeDecision);
  const { start, distance } = line.value;
  const read = details.asRead?.distance as { unit: string; value: number } | undefined;
  const converted =
    distance === undefined || read === undefined || (read.unit === distance.unit && read.value === distance.value)
      ? []
      : [`distance ${measureText(read)} is written as ${measureText(distance)}`];
  return [
    `local time ${[start.date, start.time].filter((text) => text !== undefined).join(" ")}, ${history.localTime ?? ""}`,
    ...(history.activity === undefined ? [] : [`activity ${history.activity}`]),
    ...converted,
    ...(history.rounded === undefined ? [] : [`its source rounds ${history.rounded}`]),
    ...whichCourse(line.value),
    ...history.manualDecisions.map(describeDecision),
  ];
}

/** What `--link-courses` found. */
function whichCourse({ course, follows, mayFollow = [] }: Workout): string[] {
  const linked = follows !== undefined && follows.course === course ? [follows] : [];
  return [
    ...linked.map(
      ({ name, by }) => `course ${name}, because its track follows it (--link-courses): ${describeFollowing(by)}`,
    ),
    ...mayFollow.map(({ name, by }) => `not linked with the course ${name}: ${describeFollowing(by)}`),
  ];
}

function describeDecision({ decision, at, fix, run }: RecordHistory["manualDecisions"][number]): string {
  if (decision === "fixed") return `${minute(at)}: you said ${describeFix(fix ?? {})}`;
  return decision === "dropped"
    ? `${minute(at)}: you dropped it`
    : `${minute(at)}: you undid what run ${run} wrote over it`;
}

/** The run's decisions, requests and answers for the record. */
function whatHappened({ line, events, mergedHere, overwritten }: HistoryEntry): string[] {
  return [
    `decided: ${decision(line)}`,
    ...mergedHere.map(
      (other) => `one with ${shortId(other.key)}, ${describeOrigin(other.origin)}: ${other.reason ?? ""}`,
    ),
    ...(overwritten === undefined
      ? []
      : [
          `${minute(overwritten.at)}: how it stood in the log before is kept${overwritten.putBackAt === undefined ? "" : `, and was put back on ${minute(overwritten.putBackAt)}`}`,
        ]),
    ...events.map(
      ({ at, from, to, note }) =>
        `${second(at)}: ${STEPS[`${from} ${to}`] ?? `${from} to ${to}`}${note === undefined ? "" : `: ${note}`}`,
    ),
  ];
}

const STEPS: Readonly<Record<string, string>> = {
  "planned in-flight": "sent",
  "in-flight planned": "came back, with more to do",
  "in-flight done": "answered: done",
  "in-flight in-doubt": "no answer",
  "in-flight refused": "the log refused it",
  "in-flight failed": "could not be sent",
  "in-flight in-flight": "sent once more",
  "in-doubt planned": "settled",
  "in-doubt done": "settled: done",
};

function decision({ state, action, uploadMethod, reason }: Line): string {
  const what =
    action === "none" ? state : `${action}${uploadMethod === undefined ? "" : ` by ${uploadMethod}`}, now ${state}`;
  return reason === undefined ? what : `${what}: ${reason}`;
}

function inOneLine(text: string): string {
  const lines = text.split("\n").map((line) => line.trim());
  return lines.filter((line) => line !== "").join(" / ");
}

function whereItStands(history: RecordHistory, whole: RecordHistory | undefined, now: NowInLog | undefined): string {
  const { remoteRecord } = whole ?? history;
  const line = (history.entries.at(-1) ?? history.entries[0]).line;
  const id = remoteRecord?.remoteId ?? line.remoteId;
  if (id === undefined)
    return `It is not in your log: ${line.state}${line.reason === undefined ? "" : `, ${line.reason}`}.`;
  const kind = remoteRecord?.kind ?? line.kind;
  const put =
    remoteRecord === undefined
      ? ""
      : `, put there by run ${remoteRecord.run}${remoteRecord.finished ? "" : " and not completed yet"}`;
  if (now === undefined) return `It stands in your log as ${kind} ${id}${put}.`;
  if (now.isThere === undefined)
    return `It stood in your log as ${kind} ${id}${put}. It could not be read now: ${now.reason}.`;
  if (!now.isThere) return `It stood in your log as ${kind} ${id}${put}. It is no longer there.`;
  const edits = now.differences.map((difference) => {
    const { expected, found } = sidesOf(difference);
    return `${difference.field} is ${found}, sent was ${expected}`;
  });
  return `It stands in your log as ${kind} ${id}${put}, ${edits.length === 0 ? "as it was sent" : `edited since: ${edits.join("; ")}`}.`;
}

function asJson(history: RecordHistory, now: NowInLog | undefined): Record<string, unknown> {
  const { run, line, details } = history.entries.at(-1) ?? history.entries[0];
  return {
    id: history.id,
    key: history.key,
    kind: line.kind,
    state: line.state,
    origin: line.origin,
    path: pathOf(run, line),
    read: details.asRead,
    issue: details.issue,
    value: line.value,
    localTime: history.localTime,
    activity: history.activity,
    rounded: history.rounded,
    comparedWith: history.comparedWith.map(({ with: other, isSame, why }) => ({
      ...("origin" in other ? reference(other) : { remoteId: other.id }),
      isSame,
      why,
    })),
    answers: history.answers.map(({ records, answer, at }) => ({
      answer,
      at: new Date(at).toISOString(),
      records: records.map(({ key, origin }) => ({ id: shortId(key), key, origin })),
    })),
    decisions: history.manualDecisions.map(({ decision, at, fix }) => ({
      decision,
      at: new Date(at).toISOString(),
      fix,
    })),
    runs: history.entries.map((entry) => ({
      run: entry.run.id,
      state: entry.line.state,
      action: entry.line.action,
      uploadMethod: entry.line.uploadMethod,
      reason: entry.line.reason,
      id: entry.line.remoteId,
      merged: entry.mergedHere.map(reference),
      overwritten: entry.overwritten && { before: entry.overwritten.before, sent: entry.overwritten.sent },
      events: entry.events.map((event) => ({ ...event, at: new Date(event.at).toISOString() })),
    })),
    remoteRecord: history.remoteRecord && {
      id: history.remoteRecord.remoteId,
      run: history.remoteRecord.run,
      finished: history.remoteRecord.finished,
    },
    goesOnAs: history.goesOnAs && reference(history.goesOnAs),
    fieldSources: history.fieldSources,
    unsupported: history.unsupported,
    notAdded: history.notAdded,
    filled: history.filled,
    now: now && { there: now.isThere, differences: now.differences, reason: now.reason },
  };
}

function second(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

function minute(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
