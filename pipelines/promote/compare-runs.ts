/**
 * Compares the plan for the real log with the run of a rehearsal, record by record. A record that isn't as the rehearsal showed it waits: its line is
 * rejected with what the rehearsal did and what the plan says now.
 */
import type { Origin } from "../../transforms/model/issue.ts";
import { describeOrigin } from "../../transforms/model/issue.ts";
import type { Journal, JournalReader } from "../journal/journal.ts";
import { keptLine } from "../journal/kept-line.ts";
import type { Line } from "../journal/line.ts";
import { PROMOTE_RULES, type PromoteRule } from "../journal/promote-rules.ts";
import type { Difference, Run } from "../journal/run.ts";
import { shortId } from "../journal/short-id.ts";
import { ONE_IN_LOG } from "../journal/summary.ts";
import { sidesOf } from "../log/describe-difference.ts";
import { compareLine, fateOf, type Verdict } from "./compare-line.ts";

/** Places at which a record without a known key is looked for in the rehearsal. Each look reads the whole run. */
const MOST_PLACES = 200;

/** A record that isn't as the rehearsal showed it. */
export interface Differing {
  readonly key: string;
  readonly kind: Line["kind"];
  readonly origin: Origin;
  readonly rule: PromoteRule;
  /** What the rehearsal did, and what the plan says now. */
  readonly says: string;
  readonly differences: readonly Difference[];
  /** Whether the plan would write it, so that it waits. Otherwise nothing of it is to be sent. */
  readonly waits: boolean;
}

/** How many records are as the rehearsal showed them, and how many are not. */
export interface Comparison {
  readonly same: number;
  /** In the log before any run of logferry, and in it by an earlier run. Neither is sent again. */
  readonly alreadyThere: number;
  readonly loadedBefore: number;
  /** Records that wait, and other differences: nothing of these is to be sent. */
  readonly waiting: number;
  readonly others: number;
  /** Records of earlier rehearsals in the folder that the last one didn't read. */
  readonly notRead: number;
}

/** What the comparison works with. */
export interface CompareContext {
  readonly journal: Journal;
  /** The plan for the real log. */
  readonly run: Run;
  readonly rehearsal: JournalReader;
  /** The run of the rehearsal. */
  readonly rehearsed: Run;
  /** Workouts that the log may have, by line: the log's records in words. */
  readonly doubtful: ReadonlyMap<number, string>;
  /** Whether records with differences are sent all the same. */
  readonly accepts: boolean;
  readonly onDifference: (differing: Differing) => void;
}

/** Compares all records, and lets those wait that differ. */
export async function compareRuns(context: CompareContext): Promise<Comparison> {
  const comparer = new Comparer(context);
  for await (const line of context.journal.lines(context.run.id, {})) await comparer.compare(line);
  await comparer.findMissing();
  return comparer.counts;
}

class Comparer {
  readonly counts = { same: 0, alreadyThere: 0, loadedBefore: 0, waiting: 0, others: 0, notRead: 0 };
  readonly #context: CompareContext;
  /** Lines of the rehearsal that were found by their places, because the key of the record is another one now. */
  readonly #foundByPlace = new Set<number>();
  #places = 0;
  /** The keys of shoes and courses that wait, with their origins in words. */
  readonly #waitingThings = new Map<string, string>();

  constructor(context: CompareContext) {
    this.#context = context;
  }

  async compare(line: Line): Promise<void> {
    const rehearsed = (await this.#withKey(line)) ?? (await this.#atPlace(line));
    const verdict = await this.#judge(rehearsed, line);
    if (verdict.is === "same") this.counts.same++;
    else if (verdict.is === "already there") await this.#countThere(line);
    else await this.#differs(line, rehearsed, verdict);
  }

  /** Names records that the rehearsal has in its log, and that the sources no longer have. */
  async findMissing(): Promise<void> {
    const { journal, run, rehearsal, rehearsed, onDifference } = this.#context;
    for await (const { seq, key } of rehearsal.auditTrail.keys(rehearsed.id)) {
      if (this.#foundByPlace.has(seq) || (await journal.lineWithKey(run.id, key)) !== undefined) continue;
      const line = await rehearsal.line(rehearsed.id, seq);
      if (line === undefined || fateOf(line) !== "in the log") continue;
      this.counts.others++;
      const { kind, origin } = line;
      const says = "the rehearsal wrote it, and the sources no longer have it";
      onDifference({ key, kind, origin, rule: PROMOTE_RULES.left, says, differences: [], waits: false });
    }
    for await (const { key, run: by, remoteId } of rehearsal.allRemoteRecords()) {
      if (by === rehearsed.id || (await rehearsal.lineWithKey(rehearsed.id, key)) !== undefined) continue;
      const lines = await rehearsal.auditTrail.find({ remoteId });
      if (!lines.some((line) => line.run === rehearsed.id)) this.counts.notRead++;
    }
  }

  async #withKey({ key, source }: Line): Promise<Line | undefined> {
    const { rehearsal, rehearsed } = this.#context;
    const lines = (await rehearsal.auditTrail.linesWithKey(key)).filter(({ run }) => run === rehearsed.id);
    return lines.find((line) => line.source === source) ?? lines[0];
  }

  /** The record of the same place in the same source. A row is known by its cells, so an edited row has another key. */
  async #atPlace({ kind, origin }: Line): Promise<Line | undefined> {
    const { journal, run, rehearsal, rehearsed } = this.#context;
    if (origin.locator === undefined || ++this.#places > MOST_PLACES) return undefined;
    const found = (await rehearsal.auditTrail.find({ place: origin.entry, locator: origin.locator })).filter(
      (line) => line.run === rehearsed.id && line.kind === kind && line.origin.archive === origin.archive,
    );
    const [line] = found;
    if (line === undefined || found.length > 1 || (await journal.lineWithKey(run.id, line.key)) !== undefined)
      return undefined;
    this.#foundByPlace.add(line.seq);
    return line;
  }

  async #judge(rehearsed: Line | undefined, line: Line): Promise<Verdict> {
    const { journal, doubtful } = this.#context;
    const isOurs = line.action === "update" && (await journal.remoteRecord(line.key))?.finished === false;
    const verdict = compareLine(rehearsed, line, isOurs);
    // It was loaded, its owner deleted it in the log, and said so beside the real log.
    if (line.reason?.startsWith("plan/dropped") && (await journal.remoteRecord(line.key)) !== undefined)
      return { is: "same" };
    if (line.state !== "planned" || verdict.is !== "same") return verdict;
    if (doubtful.has(line.seq)) return { is: "differs", rule: PROMOTE_RULES.perhapsThere, differences: [] };
    const thing = await this.#waitingThingOf(line);
    return thing === undefined ? verdict : { is: "differs", rule: PROMOTE_RULES.waits, differences: [] };
  }

  async #countThere({ key }: Line): Promise<void> {
    if ((await this.#context.journal.remoteRecord(key)) === undefined) this.counts.alreadyThere++;
    else this.counts.loadedBefore++;
  }

  async #differs(line: Line, rehearsed: Line | undefined, { rule, differences: found }: Verdict & { is: "differs" }) {
    const { accepts, journal, onDifference } = this.#context;
    const waits = line.state === "planned" && !accepts;
    const differences = await this.#named(found);
    const says = await this.#words(line, rehearsed, rule, differences);
    const { key, kind, origin } = line;
    if (waits) {
      this.counts.waiting++;
      if (kind !== "workout") this.#waitingThings.set(key, describeOrigin(origin));
      const reason = `${rule} (${says})`;
      await journal.patchLine(line.run, line.seq, { state: "quarantined", action: "none", reason });
    } else this.counts.others++;
    onDifference({ key, kind, origin, rule, says, differences, waits });
  }

  /** The same differences, with the names of shoes and courses in place of the keys of their records. */
  async #named(differences: readonly Difference[]): Promise<readonly Difference[]> {
    const { journal, run, rehearsal, rehearsed } = this.#context;
    const named: Difference[] = [];
    for (const one of differences) {
      const [, field] = /^(equipment|course)\b/.exec(one.field) ?? [];
      if (field === undefined) {
        named.push(one);
        continue;
      }
      const [before, after] = [keyIn(one.expected), keyIn(one.found)];
      const expected = before && nameOf(await rehearsal.lineWithKey(rehearsed.id, before), before);
      named.push({ field, expected, found: after && nameOf(await journal.lineWithKey(run.id, after), after) });
    }
    return named;
  }

  async #words(line: Line, rehearsed: Line | undefined, rule: PromoteRule, differences: readonly Difference[]) {
    switch (rule) {
      case PROMOTE_RULES.changed:
        return `the rehearsal wrote ${side(differences, "expected")}; now it would be ${side(differences, "found")}`;
      case PROMOTE_RULES.wouldChange:
        return `your log has it, and it would be changed: ${line.reason ?? ""}${differences.length === 0 ? "" : `; ${side(differences, "found")}`}`;
      case PROMOTE_RULES.perhapsThere:
        return `the rehearsal wrote it; your log may have it already: ${this.#context.doubtful.get(line.seq)}`;
      case PROMOTE_RULES.waits:
        return `what it was done with waits: ${await this.#waitingThingOf(line)}`;
      case PROMOTE_RULES.stays:
        if (fateOf(line) === "merged")
          return `the rehearsal has two workouts; your log has them as one from before${wayApart(line)}`;
        return `in the rehearsal it was left out: ${rehearsed?.reason ?? rehearsed?.state}; your log has it as ${line.remoteId} from before: delete or correct it there`;
      case PROMOTE_RULES.left:
        return `the rehearsal wrote it; now it is ${WORDS[fateOf(line)]}: ${line.reason ?? line.state}${wayApart(line)}`;
      default:
        return rehearsed === undefined
          ? "the rehearsal did not have it; now it would be new"
          : `in the rehearsal it was ${WORDS[fateOf(rehearsed)]}: ${rehearsed.reason ?? rehearsed.state}; now it would be new`;
    }
  }

  /** A shoe or a course of a workout that waits, in words. */
  async #waitingThingOf(line: Line): Promise<string | undefined> {
    if (line.kind !== "workout" || this.#waitingThings.size === 0) return undefined;
    const { course, equipment } = line.value;
    for (const key of [course, equipment?.[0]]) {
      const thing = key === undefined ? undefined : this.#waitingThings.get(await this.#mergedInto(key));
      if (thing !== undefined) return thing;
    }
    return undefined;
  }

  /** The key of the record that a shoe or a course was merged into, else its own. */
  async #mergedInto(key: string): Promise<string> {
    const { journal, run } = this.#context;
    const line = await journal.lineWithKey(run.id, key);
    return (line && (await keptLine(journal, line))?.key) ?? line?.duplicateOf ?? key;
  }
}

/** How a person makes two of records that the log has as one: an answer that was taken back leaves them so. */
function wayApart({ key, reason = "", duplicateOf }: Line): string {
  if (duplicateOf === undefined || !reason.startsWith(ONE_IN_LOG)) return "";
  const pair = `${shortId(key)}+${shortId(duplicateOf)}`;
  return `. Answer on the rehearsal's page, or with plan review --answer ${pair}=two (or one), and rehearse once more`;
}

/** The key in one side of a difference: the key itself, `{ id }` or `[{ id }]`. */
function keyIn(side: unknown): string | undefined {
  const one: unknown = Array.isArray(side) ? side[0] : side;
  if (typeof one === "string") return one;
  return (one as { readonly id?: string } | undefined)?.id;
}

function nameOf(line: Line | undefined, key: string): string {
  if (line?.kind === "course") return line.value.name;
  if (line?.kind !== "equipment") return key;
  return [line.value.brandName, line.value.modelName].filter((part) => part !== undefined).join(" ") || key;
}

const WORDS = {
  "in the log": "written",
  merged: "one with another record",
  updates: "changed",
  "left out": "left out",
} as const;

/** One side of each difference: `details.distance 10 km, notes "easy"`. */
function side(differences: readonly Difference[], which: "expected" | "found"): string {
  return differences.map((one) => `${one.field} ${sidesOf(one)[which]}`).join(", ");
}
