/**
 * What is remembered of athletes between runs, so that next month's mixed-up archives are noticed too: one small file an athlete, which
 * only its owner can read. Serials, addresses and names stand in it as marks alone: they are compared and never shown.
 */
import { createHash, randomUUID } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { isRecord } from "../../connectors/api/json.ts";
import type { AccountRef } from "../journal/journal.ts";
import { NAMELESS } from "../log-view.ts";
import type { ArchiveEvidence, AreaSeen, Evidence } from "./evidence.ts";
import { foldName, foldWord } from "./names.ts";
import { mergedSample, type Sample } from "./sample.ts";
import type { Spread } from "./spread.ts";

/** A device by its mark. */
export interface DeviceMark {
  readonly mark: string;
  readonly files: number;
  readonly first?: string;
  readonly last?: string;
}

/** What is known of an athlete's archives, by marks where it names a person or a thing. */
export interface Trace {
  readonly digests: readonly string[];
  /** Of the workouts of all archives. */
  readonly sample: Sample;
  readonly devices: readonly DeviceMark[];
  /** Of platforms' ids and of e-mail addresses. */
  readonly persons: readonly string[];
  readonly weight?: Spread;
  readonly maxHR?: Spread;
  readonly areas: readonly AreaSeen[];
}

/** An athlete of earlier runs. */
export interface Remembered {
  /** As the coach called them. */
  readonly athlete: string;
  /** The log their archives went to. */
  readonly baseUrl: string;
  readonly userHash: string;
  readonly trace: Trace;
  /** Marks of the contradictions a person said are none. */
  readonly trusted: readonly string[];
  /** Where it stands, for a person who wants it forgotten. */
  readonly path: string;
}

/** The version of the files; those of another are passed over. */
const VERSION = 1;
/** Longest file: about a hundred times what one takes. */
const FILE_BYTES = 4 * 2 ** 20;
/** Archives, devices and places of an athlete that are kept: the newest, or the busiest. */
const MOST = 200;

/** A mark of something that must not stand anywhere itself. */
export function markOf(kind: "device" | "person", value: string): string {
  return createHash("sha256").update(`logferry ${kind}\u0000${value}`).digest("hex").slice(0, 24);
}

/** What an archive says, by marks. */
export function traceOf({ archives }: Evidence): Trace {
  return archives.reduce<Trace>((trace, archive) => merged(trace, ofArchive(archive)), NOTHING);
}

const NOTHING: Trace = { digests: [], sample: { marks: [] }, devices: [], persons: [], areas: [] };

/** What one archive says, by marks. */
export function ofArchive(archive: ArchiveEvidence): Trace {
  const { digest, sample, devices, persons, weight, maxHR, areas } = archive;
  return {
    digests: digest === undefined ? [] : [digest],
    sample,
    devices: devices.map(({ serial, maker, files, first, last }) => ({
      mark: deviceMark({ serial, ...(maker !== undefined && { maker }) }),
      files,
      ...(first !== undefined && { first }),
      ...(last !== undefined && { last }),
    })),
    persons: [...new Set(persons.flatMap(({ said }) => personMarks(said)))],
    ...(weight !== undefined && { weight }),
    ...(maxHR !== undefined && { maxHR }),
    areas,
  };
}

/** The mark of a device: a serial is its maker's own. */
export function deviceMark({ serial, maker = "" }: { readonly serial: string; readonly maker?: string }): string {
  return markOf("device", `${maker} ${serial}`);
}

/** The marks of what names a person and nobody else. */
export function personMarks({ id, email }: { readonly id?: string; readonly email?: string }): readonly string[] {
  return [
    id === undefined ? [] : markOf("person", id),
    email === undefined ? [] : markOf("person", foldWord(email)),
  ].flat();
}

/** Two traces of one athlete as one. The numbers are the newer's: a person's weight changes. */
export function merged(older: Trace, newer: Trace): Trace {
  const devices = new Map(older.devices.map((device) => [device.mark, device]));
  for (const device of newer.devices) devices.set(device.mark, joined(devices.get(device.mark), device));
  const weight = newer.weight ?? older.weight;
  const maxHR = newer.maxHR ?? older.maxHR;
  return {
    digests: [...new Set([...newer.digests, ...older.digests])].slice(0, MOST),
    sample: mergedSample(older.sample, newer.sample),
    devices: [...devices.values()].sort((a, b) => b.files - a.files).slice(0, MOST),
    persons: [...new Set([...newer.persons, ...older.persons])].slice(0, MOST),
    ...(weight !== undefined && { weight }),
    ...(maxHR !== undefined && { maxHR }),
    areas: [...newer.areas, ...older.areas].sort((a, b) => b.workouts - a.workouts).slice(0, MOST),
  };
}

/** The same archive is read each month anew: its files are not added up. */
function joined(older: DeviceMark | undefined, newer: DeviceMark): DeviceMark {
  if (older === undefined) return newer;
  const first = [older.first, newer.first].filter((day) => day !== undefined).sort()[0];
  const last = [older.last, newer.last]
    .filter((day) => day !== undefined)
    .sort()
    .at(-1);
  return {
    mark: newer.mark,
    files: Math.max(older.files, newer.files),
    ...(first !== undefined && { first }),
    ...(last !== undefined && { last }),
  };
}

/** Whether what is remembered is of an athlete: the same log, or the same name at the same service. */
export function isOwn(
  { athlete, baseUrl, userHash }: Pick<Remembered, "athlete" | "baseUrl" | "userHash">,
  other: string,
  account: AccountRef,
): boolean {
  if (baseUrl !== account.baseUrl) return false;
  return foldName(athlete) === foldName(other) || (account.name !== NAMELESS && userHash === account.userHash);
}

/**
 * Everything that is remembered, in no order. A file that can't be understood is passed over: it was written by another version, or by hand.
 *
 * @param folder as `remember` was given it; one that isn't there holds nothing
 */
export async function readMemory(folder: string): Promise<readonly Remembered[]> {
  let names: readonly string[];
  try {
    names = await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
  const all: Remembered[] = [];
  for (const name of names) {
    if (!/^[0-9a-f]{32}\.json$/.test(name)) continue;
    const path = join(folder, name);
    const text = await readFile(path, "utf8");
    if (text.length > FILE_BYTES) continue;
    const content = parsed(text);
    if (content !== undefined) all.push({ ...content, path });
  }
  return all;
}

function parsed(text: string): Omit<Remembered, "path"> | undefined {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isRecord(content) || content.version !== VERSION || !isRecord(content.trace)) return undefined;
  const { athlete, baseUrl, userHash, trace, trusted } = content;
  if (!isRecord(trace.sample)) return undefined;
  if (typeof athlete !== "string" || typeof baseUrl !== "string" || typeof userHash !== "string") return undefined;
  const lists = [trusted, trace.digests, trace.sample.marks, trace.devices, trace.persons, trace.areas];
  if (!lists.every((list) => Array.isArray(list))) return undefined;
  return { athlete, baseUrl, userHash, trace: trace as unknown as Trace, trusted: trusted as readonly string[] };
}

/** Whose archives went where. */
export interface Passed {
  readonly athlete: string;
  readonly account: AccountRef;
  readonly evidence: Evidence;
  /** Marks of the contradictions that a person said are none, from now on. */
  readonly trusted?: readonly string[];
}

/**
 * Remembers an athlete whose archives were let through, beside what was remembered of them before. The file is written anew and renamed, so
 * that the old or the new is there whole.
 */
export async function remember(folder: string, { athlete, account, evidence, trusted = [] }: Passed): Promise<void> {
  const { baseUrl, userHash } = account;
  const before = (await readMemory(folder)).filter((one) => isOwn(one, athlete, account));
  const trace = before.reduce<Trace>((sum, one) => merged(sum, one.trace), NOTHING);
  const content = {
    version: VERSION,
    athlete,
    baseUrl,
    userHash,
    trusted: [...new Set([...before.flatMap((one) => one.trusted), ...trusted])].slice(-MOST),
    trace: merged(trace, traceOf(evidence)),
  };
  const name = createHash("sha256")
    .update(`${baseUrl}\u0000${userHash}\u0000${foldName(athlete)}`)
    .digest("hex");
  const path = join(folder, `${name.slice(0, 32)}.json`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const fresh = `${path}.${randomUUID()}.new`;
  try {
    const file = await open(fresh, "wx", 0o600);
    try {
      await file.writeFile(`${JSON.stringify(content, null, 1)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(fresh, path);
  } catch (error) {
    await rm(fresh, { force: true }).catch(() => undefined);
    throw error;
  }
  // Of an athlete who was called otherwise, or whose log was, all is in the new file now.
  for (const one of before) if (one.path !== path) await rm(one.path, { force: true });
}
