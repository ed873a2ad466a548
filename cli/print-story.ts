/** The story of one record, as a person reads it: `logferry explain`. */

import type { Line } from "../pipelines/journal/journal.ts";
import { shortId } from "../pipelines/journal/short-id.ts";
import type { Difference } from "../pipelines/log/compare-bodies.ts";
import { describeFix } from "../pipelines/plan/overrides.ts";
import { type Chapter, pathOf, reference, type Story, trackEntry } from "../pipelines/review/explain.ts";
import { describeOrigin, describeTrouble } from "../transforms/model/issue.ts";
import type { Workout } from "../transforms/model/workout.ts";
import type { Output } from "./terminal/output.ts";

/** How a record stands in the log now. */
export interface NowInLog {
  readonly isThere: boolean;
  /** From what we sent. */
  readonly differences: readonly Difference[];
}

/**
 * Prints a story.
 *
 * @param whole the story of the record it was merged into, if it was
 * @param now when the log was asked
 */
export function printStory(output: Output, story: Story, whole: Story | undefined, now: NowInLog | undefined): void {
  output.emit("story", asJson(story, now));
  if (whole !== undefined) output.emit("story", asJson(whole, now));
  const last = story.chapters.at(-1) ?? story.chapters[0];
  output.say(`${story.id}: ${last.line.kind} from ${describeOrigin(last.line.origin)}`);
  part(output, "Where it lies", whereItLies(last));
  part(output, "What was read", whatWasRead(last));
  part(output, "How it became a record of your log", howItBecame(story, last));
  part(
    output,
    "Which workouts of that day it was held against",
    story.heldAgainst.map(
      ({ line, isSame, why }) =>
        `${isSame ? "the same:" : "another:"} ${shortId(line.key)} ${describeOrigin(line.origin)}: ${why}`,
    ),
  );
  for (const chapter of story.chapters)
    part(output, `Run ${chapter.run.id}, ${minute(chapter.run.createdAt)}`, whatHappened(chapter));
  if (whole !== undefined) {
    for (const chapter of whole.chapters)
      part(
        output,
        `As ${whole.id}, which it is one with: run ${chapter.run.id}, ${minute(chapter.run.createdAt)}`,
        whatHappened(chapter),
      );
  }
  part(
    output,
    "What the log has no field for",
    (whole ?? story).beyond.map(({ field, value }) => `${field}: ${value}`),
  );
  output.say();
  output.conclude(whereItStands(story, whole, now));
}

function part(output: Output, title: string, lines: readonly string[]): void {
  if (lines.length === 0) return;
  output.say(`\n${title}`);
  for (const line of lines) output.say(`  ${line}`);
}

function whereItLies({ run, line }: Chapter): string[] {
  const track = trackEntry(line);
  return [
    `${pathOf(run, line) ?? line.origin.archive}, read as ${line.origin.connector}`,
    ...(track === undefined
      ? []
      : [`its track: ${[track.entry, track.recording].filter((text) => text !== undefined).join(", ")}`]),
  ];
}

function whatWasRead({ details: { asRead, issue } }: Chapter): string[] {
  const lines = Object.entries(asRead ?? {}).map(([name, value]) => `${name}: ${described(name, value)}`);
  return issue === undefined ? lines : [...lines, describeTrouble(issue)];
}

/** A value with its unit; a start with all that its source says of it. */
function described(name: string, value: unknown): string {
  if (name === "duration") return `${value} s`;
  if (typeof value !== "object" || value === null) return String(value);
  if ("unit" in value && "value" in value) return `${value.value} ${value.unit}`;
  return Object.entries(value)
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

function howItBecame(story: Story, { line, details }: Chapter): string[] {
  if (line.kind !== "workout" || line.value === undefined) return story.rulings.map(describeRuling);
  const { start, distance } = line.value as Workout;
  const read = details.asRead?.distance as { unit: string; value: number } | undefined;
  const converted =
    distance === undefined || read === undefined || (read.unit === distance.unit && read.value === distance.value)
      ? []
      : [`distance ${read.value} ${read.unit} is written as ${distance.value} ${distance.unit}`];
  return [
    `local time ${[start.date, start.time].filter((text) => text !== undefined).join(" ")}, ${story.localTime ?? ""}`,
    ...(story.activity === undefined ? [] : [`activity ${story.activity}`]),
    ...converted,
    ...story.rulings.map(describeRuling),
  ];
}

function describeRuling({ ruling, at, fix, run }: Story["rulings"][number]): string {
  if (ruling === "fixed") return `${minute(at)}: you said ${describeFix(fix ?? {})}`;
  return ruling === "dropped"
    ? `${minute(at)}: you dropped it`
    : `${minute(at)}: you undid what run ${run} wrote over it`;
}

/** What a run decided, sent and got back. */
function whatHappened({ line, events, mergedHere, overwritten }: Chapter): string[] {
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

function decision({ state, action, carrier, reason }: Line): string {
  const what = action === "none" ? state : `${action}${carrier === undefined ? "" : ` by ${carrier}`}, now ${state}`;
  return reason === undefined ? what : `${what}: ${reason}`;
}

function whereItStands(story: Story, whole: Story | undefined, now: NowInLog | undefined): string {
  const { placed } = whole ?? story;
  const line = (story.chapters.at(-1) ?? story.chapters[0]).line;
  const id = placed?.remoteId ?? line.remoteId;
  if (id === undefined)
    return `It is not in your log: ${line.state}${line.reason === undefined ? "" : `, ${line.reason}`}.`;
  const kind = placed?.kind ?? line.kind;
  const put =
    placed === undefined ? "" : `, put there by run ${placed.run}${placed.finished ? "" : " and not completed yet"}`;
  if (now === undefined) return `It stands in your log as ${kind} ${id}${put}.`;
  if (!now.isThere) return `It stood in your log as ${kind} ${id}${put}; it is no longer there.`;
  const edits = now.differences.map(
    ({ field, expected, found }) =>
      `${field} is ${JSON.stringify(found) ?? "gone"}, sent was ${JSON.stringify(expected)}`,
  );
  return `It stands in your log as ${kind} ${id}${put}, ${edits.length === 0 ? "as it was sent" : `edited since: ${edits.join("; ")}`}.`;
}

function asJson(story: Story, now: NowInLog | undefined): Record<string, unknown> {
  const { run, line, details } = story.chapters.at(-1) ?? story.chapters[0];
  return {
    id: story.id,
    key: story.key,
    kind: line.kind,
    state: line.state,
    origin: line.origin,
    path: pathOf(run, line),
    read: details.asRead,
    issue: details.issue,
    value: line.value,
    localTime: story.localTime,
    activity: story.activity,
    heldAgainst: story.heldAgainst.map(({ line: other, isSame, why }) => ({ ...reference(other), isSame, why })),
    decisions: story.rulings.map(({ ruling, at, fix }) => ({ ruling, at: new Date(at).toISOString(), fix })),
    runs: story.chapters.map((chapter) => ({
      run: chapter.run.id,
      state: chapter.line.state,
      action: chapter.line.action,
      carrier: chapter.line.carrier,
      reason: chapter.line.reason,
      id: chapter.line.remoteId,
      merged: chapter.mergedHere.map(reference),
      overwritten: chapter.overwritten && { before: chapter.overwritten.before, sent: chapter.overwritten.sent },
      events: chapter.events.map((event) => ({ ...event, at: new Date(event.at).toISOString() })),
    })),
    placed: story.placed && { id: story.placed.remoteId, run: story.placed.run, finished: story.placed.finished },
    goesOnAs: story.goesOnAs && reference(story.goesOnAs),
    beyond: story.beyond,
    now: now && { there: now.isThere, differences: now.differences },
  };
}

function second(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

function minute(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
