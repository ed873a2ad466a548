/** Tells which source gave each field of a merged workout, and why that one. */
import { at } from "../../transforms/merge/at-path.ts";
import type { Origin } from "../../transforms/model/issue.ts";
import type { Workout } from "../../transforms/model/workout.ts";
import { canonicalJson } from "../../transforms/text/canonical.ts";
import type { JournalReader } from "../journal/journal.ts";
import type { Line } from "../journal/line.ts";
import type { Run } from "../journal/run.ts";
import { isPartOrWhole } from "../plan/pairs/describe-split.ts";
import { CHOOSABLE } from "../plan/pairs/pair-answers.ts";
import { copiesOf, sourcesNamed } from "../plan/sources/prefer-fields.ts";

/** A field and the record that gave it. */
export interface FieldSource {
  readonly field: string;
  /** The records with this value. Notes may be joined of several. */
  readonly from: readonly Origin[];
  /** `answer`: a person said so in plan review. `prefer`: with `--prefer`. `only`: no other copy has a value. `order`: the usual order. */
  readonly why: "answer" | "prefer" | "only" | "order";
}

const FIELDS: typeof CHOOSABLE = [...CHOOSABLE, ["track", "track"]];

/** The sources of the fields of a workout that others were merged into; none for another record. */
export async function fieldSources(journal: JournalReader, run: Run, line: Line): Promise<readonly FieldSource[]> {
  if (line.kind !== "workout" || line.state === "merged") return [];
  const merged = (await journal.mergedInto(line.run, line.key)).filter((one) => !isPartOrWhole(one));
  if (merged.length === 0) return [];
  const copies = await copiesOf(line.run, [line.key, ...merged.map(({ key }) => key)], journal);
  const keys = new Set(copies.map(({ line: { key } }) => key));
  const answers = (await journal.links.answers()).filter(({ records }) => records.every(({ key }) => keys.has(key)));
  return FIELDS.flatMap(([field, path]): readonly FieldSource[] => {
    const value = readAt(line.value, path);
    if (value === undefined) return [];
    const having = copies.filter(({ own }) => readAt(own, path) !== undefined);
    const givers = having.filter(({ own }) => isPartOf(readAt(own, path), value));
    if (givers.length === 0) return [];
    const said = answers.some(({ take }) => givers.some((giver) => take[field] === giver.line.key));
    const wanted = (run.options.prefer ?? []).filter((one) => one.field === field);
    const preferred = givers.filter((giver) =>
      wanted.some(({ source }) => sourcesNamed(source, run.sources).includes(giver.line.source)),
    );
    const why = said ? "answer" : preferred.length > 0 ? "prefer" : having.length === 1 ? "only" : "order";
    return [{ field, why, from: (why === "prefer" ? preferred : givers).map((giver) => giver.line.origin) }];
  });
}

/** The value of a field. A start is its local date and time, and a track its file. */
function readAt(workout: Workout, path: string): unknown {
  const value = at(workout, path);
  if (path === "start") return [workout.start.date, workout.start.time];
  return path === "track" ? workout.track?.sha256 : value;
}

function isPartOf(own: unknown, value: unknown): boolean {
  if (typeof own === "string" && typeof value === "string") return value.includes(own);
  return canonicalJson(own) === canonicalJson(value);
}
