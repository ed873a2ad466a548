/** The contents of an earlier snapshot. If a record's entry in the listing hasn't changed since, the record need not be read again. */
import type { Damage } from "../../connectors/repository/layout.ts";
import type { Repository } from "../../connectors/repository/repository.ts";
import type { Chunk, Snapshot } from "../../connectors/repository/snapshot.ts";

/** The contents of the previous snapshot, as far as they can still be read. */
export interface EarlierChunks {
  /** By kind and part without its number: `workout 2024-02`. */
  readonly groups: ReadonlyMap<string, Group>;
  /** By kind and id: the record's group, and its entry in the listing at that time. */
  readonly records: ReadonlyMap<string, { readonly group: string; readonly listed: string | undefined }>;
  readonly damaged: readonly Damage[];
}

/** The records of a kind and a part, and the chunks that hold them. */
export interface Group {
  readonly pieces: readonly Chunk[];
  readonly records: number;
}

/** Reads the chunks of a snapshot, as far as they can be read. */
export async function readEarlier(
  repository: Repository,
  previous: Snapshot | undefined,
  damagedSnapshots: readonly Damage[],
): Promise<EarlierChunks> {
  const groups = new Map<string, { pieces: Chunk[]; records: number }>();
  const records = new Map<string, { group: string; listed: string | undefined }>();
  const damaged = [...damagedSnapshots];
  for (const chunk of previous?.pieces ?? []) {
    const read = await repository.readChunk(chunk);
    if (typeof read === "string") {
      damaged.push({ file: chunk.file, found: read });
      continue;
    }
    const name = groupOf(chunk.kind, partOf(chunk));
    const group = groups.get(name) ?? { pieces: [], records: 0 };
    groups.set(name, group);
    group.pieces.push(chunk);
    group.records += chunk.records;
    for (const { listed, value } of read) records.set(`${chunk.kind} ${value.id}`, { group: name, listed });
  }
  return { groups, records, damaged };
}

/** `2024` of `2024` and of `2024-2`. */
function partOf({ part }: Chunk): string {
  return /^(\d{4}|[a-z]+)/.exec(part)?.[0] ?? part;
}

/** `workout 2024`: a kind, and a part without its number. */
export function groupOf(kind: string, part: string): string {
  return `${kind} ${part}`;
}

/** An entry of a listing, with the data that shows whether its record changed. */
export interface Entry {
  readonly id: string;
  readonly listed: string;
  readonly part: string;
}

/** Whether a record's entry in the listing is the same as at the time of that snapshot. */
export function isAsIn(before: EarlierChunks | undefined, kind: string, group: string, { id, listed }: Entry): boolean {
  const known = before?.records.get(`${kind} ${id}`);
  return known?.group === group && known.listed === listed;
}
