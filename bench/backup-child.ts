/**
 * Started by `backup.ts` in a process of its own. It writes a dump into a snapshot repository, or reads the last snapshot out of one. The requests
 * that a backup sends to a log are left out, for logferry and for its peer.
 */

import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { createInterface } from "node:readline";
import type { Keys } from "../connectors/repository/keys.ts";
import { type StoredRecord, storedRecord, sumOf } from "../connectors/repository/records.ts";
import { openRepository } from "../connectors/repository/repository.ts";
import type { Chunk } from "../connectors/repository/snapshot.ts";

const [what, root = "", dump = "", identity = ""] = process.argv.slice(2);
const keys: Keys | undefined =
  identity === "" ? undefined : { identities: [identity], ...(what === "write" && { create: { recipients: [] } }) };
if (what === "write") await write();
else if (what === "read") await read();
else throw new Error("usage: backup-child.ts write|read REPOSITORY DUMP [IDENTITY]");

async function write(): Promise<void> {
  const parts = new Map<string, { kind: Chunk["kind"]; part: string; records: StoredRecord[] }>();
  for await (const line of createInterface({ input: createReadStream(dump) })) {
    const { kind, ...value } = JSON.parse(line) as { kind: Chunk["kind"]; id: string; date?: string };
    const part = kind === "workout" ? (value.date ?? "").slice(0, 4) : "all";
    const group = parts.get(`${kind} ${part}`) ?? { kind, part, records: [] };
    parts.set(`${kind} ${part}`, group);
    // A snapshot keeps beside each workout what a listing shows of it: eight digits.
    group.records.push(storedRecord(value, kind === "workout" ? sumOf([value.id, value.date]) : undefined));
  }
  const repository = await openRepository(root, keys);
  await repository.prepareToWrite();
  const pieces: Chunk[] = [];
  for (const { kind, part, records } of parts.values()) {
    pieces.push(...(await repository.writeChunks(kind, part, records)).pieces);
  }
  const { snapshots } = await repository.readSnapshots();
  const time = new Date(Date.UTC(2026, 0, 1 + snapshots.length)).toISOString();
  await repository.writeSnapshot({
    format: "logferry-snapshot",
    version: 1,
    time,
    day: time.slice(0, 10),
    logferry: "bench",
    log: { host: "bench", userHash: "bench", name: "bench" },
    pass: "full",
    fullAt: time,
    unread: [],
    pieces,
  });
}

async function read(): Promise<void> {
  const repository = await openRepository(root, keys);
  const out = createWriteStream(dump);
  for (const chunk of (await repository.readSnapshots()).snapshots.at(-1)?.pieces ?? []) {
    const records = await repository.readChunk(chunk);
    if (typeof records === "string") throw new Error(`${chunk.file} ${records}`);
    out.write(records.map(({ value }) => `${JSON.stringify({ kind: chunk.kind, ...value })}\n`).join(""));
  }
  out.end();
  await once(out, "finish");
}
