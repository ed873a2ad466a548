/** Collects what the workouts of a plan say about its shoes and bikes: when each was worn, and which of two sources were worn in the same workouts. */
import { SECOND_EQUIPMENT } from "../../../transforms/steps/keep-one-equipment.ts";
import type { Journal } from "../../journal/journal.ts";
import type { LineOf, WorkoutLine } from "../../journal/line.ts";

/** What the workouts say about two pieces of two sources. */
export interface GearEvidence {
  /** Workouts that both sources have, and in which each source names its piece. */
  readonly together: number;
  /** Workouts that both sources have, in which one of the two pieces is named, and some piece of the other source. */
  readonly of: number;
  /** Whether the first and the last days of both pieces overlap. */
  readonly overlap: boolean;
  /** One of them was bought after the last use of the other one: the day, and that last use. */
  readonly boughtLater: BoughtLater | undefined;
}

/** Evidence that two pieces of one name are two. */
export interface BoughtLater {
  /** Whether it is the first one of the two that was bought later. */
  readonly isFirst: boolean;
  readonly bought: string;
  readonly lastUse: string;
}

/** The evidence of all workouts of a plan. */
export class GearUse {
  readonly #days = new Map<string, readonly [first: string, last: string]>();
  readonly #together = new Map<string, number>();
  /** By a piece and a source: the workouts in which it and some piece of that source are named. */
  readonly #withSource = new Map<string, number>();
  readonly #pieces: ReadonlyMap<string, LineOf<"equipment">>;

  private constructor(pieces: ReadonlyMap<string, LineOf<"equipment">>) {
    this.#pieces = pieces;
  }

  /** Reads the workouts of a run. @param pieces the pieces by their keys */
  static async of(run: number, journal: Journal, pieces: ReadonlyMap<string, LineOf<"equipment">>): Promise<GearUse> {
    const use = new GearUse(pieces);
    for await (const line of journal.lines(run, { state: ["planned", "merged"], kind: "workout" }))
      if (line.kind === "workout") await use.#add(line, journal);
    return use;
  }

  /** What speaks for one piece, and what against it. */
  between(one: LineOf<"equipment">, other: LineOf<"equipment">): GearEvidence {
    const together = this.#together.get(nameOf(one.key, other.key)) ?? 0;
    const ofOne = this.#withSource.get(`${one.key}\n${other.source}`) ?? 0;
    const ofOther = this.#withSource.get(`${other.key}\n${one.source}`) ?? 0;
    const [a, b] = [this.#days.get(one.key), this.#days.get(other.key)];
    const overlap = a !== undefined && b !== undefined && a[0] <= b[1] && b[0] <= a[1];
    const boughtLater = this.#boughtAfter(one, other, true) ?? this.#boughtAfter(other, one, false);
    return { together, of: Math.max(ofOne, ofOther), overlap, boughtLater };
  }

  #boughtAfter(one: LineOf<"equipment">, other: LineOf<"equipment">, isFirst: boolean): BoughtLater | undefined {
    const bought = one.value.purchaseDate;
    const lastUse = this.#days.get(other.key)?.[1];
    // With a day of purchase on both sides, these decide alone.
    if (bought === undefined || other.value.purchaseDate !== undefined || lastUse === undefined) return undefined;
    return lastUse < bought ? { isFirst, bought, lastUse } : undefined;
  }

  async #add(line: WorkoutLine, journal: Journal): Promise<void> {
    const [own] = line.value.equipment ?? [];
    const { date } = line.value.start;
    if (own === undefined) return;
    if (date !== undefined) {
      const [first, last] = this.#days.get(own) ?? [date, date];
      this.#days.set(own, [date < first ? date : first, date > last ? date : last]);
    }
    if (line.state !== "merged" || line.duplicateOf === undefined) return;
    const kept = await journal.lineWithKey(line.run, line.duplicateOf);
    if (kept?.kind !== "workout") return;
    const seconds = (kept.value.unsupported ?? []).flatMap(({ field, value }) =>
      field === SECOND_EQUIPMENT ? value : [],
    );
    for (const piece of new Set([...(kept.value.equipment ?? []).slice(0, 1), ...seconds])) this.#count(own, piece);
  }

  #count(one: string, other: string): void {
    const [a, b] = [this.#pieces.get(one), this.#pieces.get(other)];
    if (a === undefined || b === undefined || a.source === b.source) return;
    add(this.#together, nameOf(one, other));
    add(this.#withSource, `${one}\n${b.source}`);
    add(this.#withSource, `${other}\n${a.source}`);
  }
}

function nameOf(one: string, other: string): string {
  return one < other ? `${one}\n${other}` : `${other}\n${one}`;
}

function add(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
