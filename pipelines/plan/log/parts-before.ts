/**
 * Recognises the parts of a workout that an earlier run left out, because your log has the whole, and a whole of which it has the parts. Several parts
 * have one record of the log, which is counted once: the first of them stands for it, and the others are parts of the first.
 */
import { defined } from "../../../transforms/model/defined.ts";
import { describeOrigin } from "../../../transforms/model/issue.ts";
import type { Line } from "../../journal/line.ts";
import type { RemoteRecord } from "../../journal/remote-record.ts";
import type { ComparisonContext } from "../compare/comparison.ts";
import { isPartOrWhole, PART_OF } from "../pairs/describe-split.ts";
import { standingFor } from "../pairs/standing-for.ts";

/** The lines of one plan that stand for such records. */
export class PartsBefore {
  readonly #context: ComparisonContext;
  readonly #first = new Map<string, Line>();

  constructor(context: ComparisonContext) {
    this.#context = context;
  }

  /**
   * Settles a line whose record an earlier run made of another line.
   *
   * @returns `not` for any other line; `apart` when a person said since that the two are two
   */
  async settle(line: Line, record: RemoteRecord): Promise<"settled" | "apart" | "not"> {
    if (line.kind !== "workout" || record.key === line.key) return "not";
    const { journal } = this.#context;
    const earlier = (await journal.auditTrail.linesWithKey(line.key)).findLast(
      ({ run, state }) => run !== line.run && state === "merged",
    );
    if (earlier === undefined || !isPartOrWhole(earlier)) return "not";
    if (await this.#isApart(earlier, record)) return "apart";
    const why = `run ${earlier.run} found it to be one with ${await this.#placeOf(record)}`;
    const holder = this.#first.get(record.remoteId) ?? (await standingFor(record.key, line.run, journal));
    // Copies of this line may have been merged into it since, and the record with them.
    if (holder?.key === line.key) return "not";
    if (holder !== undefined) {
      const reason = `${PART_OF} (${why}) as ${describeOrigin(holder.origin)}`;
      await journal.patchLine(line.run, line.seq, {
        ...{ state: "merged", action: "none", duplicateOf: holder.key, reason },
      });
      return "settled";
    }
    this.#first.set(record.remoteId, line);
    const loaded = await journal.lineWithKey(record.run, record.key);
    // The sums of the run count what the log has.
    const { distance, duration } = loaded?.kind === "workout" ? loaded.value : line.value;
    await journal.patchLine(line.run, line.seq, {
      ...{ state: "unchanged", action: "none", duplicateOf: record.remoteId, remoteId: record.remoteId },
      ...{
        reason: `already in the log: ${PART_OF} (${why})`,
        value: { ...line.value, ...defined({ distance, duration }) },
      },
    });
    return "settled";
  }

  /** One answer is about all parts. */
  async #isApart(earlier: Line, record: RemoteRecord): Promise<boolean> {
    const pairs = this.#context.settings.manualDecisions?.pairs;
    const parts = await this.#context.journal.mergedInto(earlier.run, earlier.duplicateOf ?? "");
    return parts.some((part) => isPartOrWhole(part) && pairs?.areTwo(part.key, record.key) === true);
  }

  async #placeOf({ run, key }: RemoteRecord): Promise<string> {
    const loaded = await this.#context.journal.lineWithKey(run, key);
    return loaded === undefined ? "another record" : describeOrigin(loaded.origin);
  }
}
