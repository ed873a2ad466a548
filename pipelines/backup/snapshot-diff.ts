/** Compares two snapshots in the log's own terms: the new records, the missing records, and the changed fields of the others. */

import type { LogRecord } from "../../connectors/api/source.ts";
import { FatalError } from "../../connectors/errors.ts";
import { KINDS } from "../../connectors/repository/layout.ts";
import type { StoredRecord } from "../../connectors/repository/records.ts";
import type { Repository } from "../../connectors/repository/repository.ts";
import type { Chunk, Snapshot } from "../../connectors/repository/snapshot.ts";
import { canonicalJson } from "../../transforms/text/canonical.ts";
import { inMetres, type Measure, unitSpelt } from "../../transforms/units.ts";

/** One field that differs. On a side without the field, its value is absent. */
export interface FieldChange {
  readonly field: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** The change of one record. */
export interface RecordChange {
  readonly kind: LogRecord["kind"];
  readonly id: string;
  readonly change: "added" | "removed" | "changed";
  /** For people: `2024-02-29 Run`, `Acme Fast`. */
  readonly name: string;
  /** Only for a changed record. */
  readonly fields: readonly FieldChange[];
  /** The additional distance of a piece of equipment, in metres. */
  readonly metres?: number | undefined;
}

/**
 * The records in which two snapshots differ, kind by kind. It reads only the chunks that differ.
 *
 * @throws FatalError `repository/damaged` naming a chunk that can't be read
 */
export async function diffSnapshots(
  repository: Repository,
  a: Snapshot,
  b: Snapshot,
): Promise<readonly RecordChange[]> {
  const changes: RecordChange[] = [];
  for (const kind of KINDS) {
    const [before, after] = await Promise.all([
      recordsBeside(repository, kind, a, b),
      recordsBeside(repository, kind, b, a),
    ]);
    for (const id of new Set([...before.keys(), ...after.keys()])) {
      const [old, now] = [before.get(id)?.value, after.get(id)?.value];
      const shown = now ?? old ?? {};
      const base = { kind, id, name: nameOf(kind, shown) };
      if (old === undefined || now === undefined) {
        changes.push({ ...base, change: old === undefined ? "added" : "removed", fields: [] });
        continue;
      }
      const fields = fieldChanges(old, now);
      if (fields.length === 0) continue;
      const metres = kind === "equipment" ? gone(old.distance, now.distance) : undefined;
      changes.push({ ...base, change: "changed", fields, ...(metres !== undefined && { metres }) });
    }
  }
  return changes;
}

/** Records in chunks that only one of the snapshots has, by id. */
async function recordsBeside(
  repository: Repository,
  kind: Chunk["kind"],
  { pieces }: Snapshot,
  other: Snapshot,
): Promise<ReadonlyMap<string, StoredRecord>> {
  const shared = new Set(other.pieces.map(({ file }) => file));
  const records = new Map<string, StoredRecord>();
  for (const chunk of pieces.filter((one) => one.kind === kind && !shared.has(one.file))) {
    const read = await repository.readChunk(chunk);
    if (typeof read === "string") {
      throw new FatalError("repository/damaged", "source", `Cannot compare the snapshots: ${chunk.file} ${read}`);
    }
    for (const record of read) records.set(String(record.value.id ?? "me"), record);
  }
  return records;
}

/** The fields that differ. Members of groups have their path: `details.distance`. A measure is one field, and so is a list. */
function fieldChanges(before: Values, after: Values, path = ""): FieldChange[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted().flatMap((name) => {
    const [old, now] = [before[name], after[name]];
    if (canonicalJson(old ?? null) === canonicalJson(now ?? null)) return [];
    const field = `${path}${name}`;
    if (isGroup(old) && isGroup(now)) return fieldChanges(old, now, `${field}.`);
    return [{ field, ...(old !== undefined && { before: old }), ...(now !== undefined && { after: now }) }];
  });
}

type Values = Readonly<Record<string, unknown>>;

function isGroup(value: unknown): value is Values {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !("unit" in value) && !("id" in value);
}

function gone(before: unknown, after: unknown): number | undefined {
  const [old, now] = [metresOf(before), metresOf(after)];
  return now === undefined ? undefined : now - (old ?? 0);
}

function metresOf(value: unknown): number | undefined {
  const { unit, value: number } = (value ?? {}) as { unit?: string; value?: number };
  const known = unit === undefined ? undefined : unitSpelt("distance", unit);
  if (known === undefined || number === undefined) return undefined;
  return inMetres({ unit: known, value: number } as Measure<"distance">);
}

const NAME_FIELDS: Readonly<Record<LogRecord["kind"], readonly string[]>> = {
  user: ["screenName"],
  preference: [],
  equipment: ["brandName", "modelName", "serial"],
  course: ["name"],
  "training-plan": ["name"],
  workout: ["date", "timeOfDay", "activityName"],
};

function nameOf(kind: LogRecord["kind"], value: Values): string {
  return NAME_FIELDS[kind].flatMap((field) => value[field] ?? []).join(" ");
}
