/**
 * The fields of merged workouts that a person wants from a source (`--prefer notes=garmin`). This comes after the usual precedence and before the
 * answers of `plan review`. It chooses among values of sources only, so a value that somebody typed into the log stays.
 */
import { absoluteSource } from "../../../connectors/containers/address.ts";
import { toFacts } from "../../../transforms/duplicates.ts";
import { at, withAt } from "../../../transforms/merge/at-path.ts";
import { withChosenHeartRate } from "../../../transforms/model/heart-rates.ts";
import { describeOrigin, type Issue } from "../../../transforms/model/issue.ts";
import type { Workout } from "../../../transforms/model/workout.ts";
import { judge } from "../../../transforms/plausibility/judge.ts";
import { SECOND_EQUIPMENT } from "../../../transforms/steps/keep-one-equipment.ts";
import { canonicalJson } from "../../../transforms/text/canonical.ts";
import type { JournalReader } from "../../journal/journal.ts";
import type { Line, WorkoutLine } from "../../journal/line.ts";
import type { RunSource } from "../../journal/run.ts";
import type { ComparisonContext } from "../compare/comparison.ts";
import type { Groups } from "../compare/groups.ts";
import { CHOOSABLE } from "../pairs/pair-answers.ts";

/** The fields that a person may want from a source, each with its path in the workout. A track is taken as a whole. */
const PATHS: typeof CHOOSABLE = [...CHOOSABLE, ["track", "track"]];

/** Their names. */
export const PREFERABLE: readonly string[] = PATHS.map(([field]) => field);

/** The indices of the sources that a word names: a path, the name of an archive, or a platform. */
export function sourcesNamed(
  word: string,
  sources: readonly Pick<RunSource, "path" | "within" | "name" | "connector">[],
): readonly number[] {
  const path = absoluteSource(word);
  const names = ({ path: own, within, name, connector }: (typeof sources)[number]) =>
    within === undefined ? [own, name, connector] : [own, `${own}!/${within}`, within, name, connector];
  return sources.flatMap((source, index) => (names(source).some((one) => one === word || one === path) ? index : []));
}

type Context = Pick<ComparisonContext, "journal" | "sources" | "options" | "report"> & {
  readonly settings: Pick<ComparisonContext["settings"], "allowImplausible">;
  readonly groups: Groups;
};

/** Gives merged workouts the values of the sources that a person prefers. A value that can't be true isn't taken, and a remark names it. */
export async function takePreferredFields(
  run: number,
  context: Context,
  isWanted: (key: string) => boolean,
): Promise<void> {
  const { journal, options, groups } = context;
  if (options.prefer === undefined) return;
  for (const [root, members] of groups.several()) {
    const line = isWanted(root) ? await journal.lineWithKey(run, root) : undefined;
    if (line?.kind !== "workout" || line.state !== "planned") continue;
    const value = await withPreferred(line, members, context);
    if (value !== line.value) await journal.patchLine(run, line.seq, { value, facts: toFacts(value) });
  }
}

/** A value that is taken from a line. */
interface Taken {
  readonly field: string;
  readonly path: string;
  readonly own: unknown;
  readonly from: WorkoutLine;
  /** The damage to the file of that copy. */
  readonly lostFile: Workout["lostFile"];
}

async function withPreferred(line: WorkoutLine, members: Iterable<string>, context: Context): Promise<Workout> {
  const { options, sources, journal } = context;
  const copies = await copiesOf(line.run, members, journal);
  const taken: Taken[] = [];
  for (const { field, source } of options.prefer ?? []) {
    const path = PATHS.find(([name]) => name === field)?.[1];
    if (path === undefined || taken.some((one) => one.field === field)) continue;
    const wanted = sourcesNamed(source, sources);
    for (const { line: from, own } of copies) {
      const theirs = at(own, path);
      if (!wanted.includes(from.source) || theirs === undefined || !isBetter(path, theirs, line.value)) continue;
      taken.push({ field, path, own: theirs, from, lostFile: own.lostFile });
      break;
    }
  }
  const all = taken.reduce(withTaken, line.value);
  const now = context.settings.allowImplausible === true ? undefined : whyImpossible(all, line.value);
  if (now === undefined) return all === line.value || isSame(all, line.value) ? line.value : all;
  return oneByOne(line, taken, context);
}

/** Takes what can be true, value by value, and names the rest. */
async function oneByOne(line: WorkoutLine, taken: readonly Taken[], { report }: Context): Promise<Workout> {
  let value = line.value;
  for (const one of taken) {
    const next = withTaken(value, one);
    const why = whyImpossible(next, value);
    if (why === undefined) value = next;
    else
      await report({
        severity: "warning",
        rule: "plan/preferred-implausible",
        field: one.field,
        origin: one.from.origin,
        found: `you prefer this ${one.field}, and with it the workout can't be true: ${why.found}`,
        expected: `${why.expected}; the ${one.field} stays as ${describeOrigin(line.origin)} and the usual order have it`,
      });
  }
  return value;
}

function whyImpossible(value: Workout, before: Workout): Issue | undefined {
  const issue = judge(value, value.activity);
  return issue === undefined || judge(before, before.activity) !== undefined ? undefined : issue;
}

/** The lines of a merged workout, each with the value of its own source, in the order of the sources. */
export async function copiesOf(run: number, members: Iterable<string>, journal: JournalReader) {
  const copies: { readonly line: WorkoutLine; readonly own: Workout }[] = [];
  for (const key of members) {
    const line = await journal.lineWithKey(run, key);
    if (line?.kind !== "workout") continue;
    copies.push({ line, own: (await journal.links.ownValue(run, line.seq)) ?? line.value });
  }
  return copies.toSorted((a, b) => a.line.source - b.line.source || a.line.seq - b.line.seq);
}

/** A start without a time of day doesn't replace one with a time: the log reads that time from the track once more, perhaps in another zone. */
function isBetter(path: string, theirs: unknown, value: Workout): boolean {
  return path !== "start" || (theirs as Workout["start"]).time !== undefined || value.start.time === undefined;
}

function withTaken(value: Workout, { path, own, lostFile }: Taken): Workout {
  const next = withChosenHeartRate(withAt(value, path, own), path);
  if (path === "track") {
    const { lostFile: _other, ...rest } = next;
    return lostFile === undefined ? rest : { ...rest, lostFile };
  }
  return path === "equipment" ? withOtherPiece(next, value) : next;
}

/** A workout has one piece of equipment in the log. The piece that it had until now is counted as the second one. */
function withOtherPiece(next: Workout, before: Workout): Workout {
  const [piece, other] = [next.equipment?.[0], before.equipment?.[0]];
  if (other === undefined || piece === other) return next;
  const rest = (next.unsupported ?? []).filter(({ field, value }) => field !== SECOND_EQUIPMENT || value !== piece);
  // Two keys may stand for one piece. The journal counts a second one only where they are two (`withSecondEquipment`).
  const wasTwo = rest.length < (next.unsupported ?? []).length;
  return { ...next, unsupported: wasTwo ? [...rest, { field: SECOND_EQUIPMENT, value: other }] : rest };
}

function isSame(a: unknown, b: unknown): boolean {
  return canonicalJson(a) === canonicalJson(b);
}

/**
 * Finds that a workout of an earlier run gets other values now, although its record is the same: because the person prefers other sources than then, which
 * is reported, or because other sources show another start.
 *
 * @returns the reason of the update; undefined without a change
 */
export async function changedPreference(
  line: Line,
  loadedBy: { readonly run: number; readonly key: string },
  { journal, options, report }: Pick<ComparisonContext, "journal" | "options" | "report">,
): Promise<string | undefined> {
  const start = await setSince(line, loadedBy.run, journal);
  if (start !== undefined) return start;
  const then = (await journal.run(loadedBy.run))?.options.prefer;
  if (isSame(then ?? [], options.prefer ?? [])) return undefined;
  const before = await journal.lineWithKey(loadedBy.run, line.key);
  if (before?.kind !== "workout" || line.kind !== "workout") return undefined;
  const named = new Set([...(then ?? []), ...(options.prefer ?? [])].map(({ field }) => field));
  const changed = CHOOSABLE.filter(([field, path]) => {
    const [old, now] = [before.value, line.value].map((value) => at(value, path));
    return named.has(field) && !isSame(old ?? null, now ?? null);
  }).map(([field]) => field);
  if (changed.length === 0) return undefined;
  const found = `you prefer other sources than in run ${loadedBy.run} (--prefer): another ${changed.join(", ")}`;
  const expected = "the words of that run: the workout is brought up to date";
  await report({ severity: "warning", rule: "plan/preference-changed", origin: line.origin, found, expected });
  return found;
}

/** Why the start of a loaded workout changes: other sources show now that its clock is off, or its local time. The plan names these already. */
async function setSince(line: Line, run: number, journal: JournalReader): Promise<string | undefined> {
  if (line.kind !== "workout" || line.value.start.clockSet === undefined) return undefined;
  const before = await journal.lineWithKey(run, line.key);
  if (before?.kind !== "workout") return undefined;
  const [was, is] = [before.value.start, line.value.start].map(({ date, time = "" }) => `${date} ${time}`.trim());
  return was === is ? undefined : `other sources show its start since run ${run}: ${is} in place of ${was}`;
}
