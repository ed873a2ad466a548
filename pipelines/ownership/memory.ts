/**
 * What is remembered of athletes between runs, so that next month's mixed-up archives are noticed too: one small file an athlete, which
 * only its owner can read. Serials, addresses and names stand in it as fingerprints alone: they are compared and never shown.
 */

import { createHash } from "node:crypto";
import { readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { isRecord } from "../../connectors/api/json.ts";
import { FatalError } from "../../connectors/errors.ts";
import { defined } from "../../transforms/model/defined.ts";
import type { AccountRef } from "../journal/remote-record.ts";
import { NAMELESS } from "../log/log-view.ts";
import { foldName, foldWord } from "../log/names.ts";
import { writePrivateFile } from "../private-file.ts";
import type { ArchiveEvidence, AreaSeen, OwnerEvidence } from "./evidence.ts";
import { mergedSample, type Sample } from "./sample.ts";
import type { Spread } from "./spread.ts";

/** A device by its fingerprint. */
export interface DeviceSeenBefore {
  readonly mark: string;
  readonly files: number;
  readonly first?: string;
  readonly last?: string;
}

/** What is known of an athlete's archives, by fingerprints where it names a person or a thing. */
export interface Trace {
  readonly digests: readonly string[];
  /** Of the workouts of all archives. */
  readonly sample: Sample;
  readonly devices: readonly DeviceSeenBefore[];
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
  /** Fingerprints of the contradictions a person said are none. */
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

/** A fingerprint of something that must not stand anywhere itself. */
export function fingerprintOf(kind: "device" | "person", value: string): string {
  return createHash("sha256").update(`logferry ${kind}\u0000${value}`).digest("hex").slice(0, 24);
}

/** What an archive says, by fingerprints. */
export function toTrace({ archives }: OwnerEvidence): Trace {
  return archives.reduce<Trace>((trace, archive) => merged(trace, ofArchive(archive)), NOTHING);
}

const NOTHING: Trace = { digests: [], sample: { marks: [] }, devices: [], persons: [], areas: [] };

/** What one archive says, by fingerprints. */
export function ofArchive(archive: ArchiveEvidence): Trace {
  const { digest, sample, devices, persons, weight, maxHR, areas } = archive;
  return {
    digests: digest === undefined ? [] : [digest],
    sample,
    devices: devices.map(({ serial, maker, files, first, last }) => ({
      mark: deviceFingerprint({ serial, ...(maker !== undefined && { maker }) }),
      files,
      ...defined({ first, last }),
    })),
    persons: [...new Set(persons.flatMap(({ details }) => personFingerprints(details)))],
    ...defined({ weight, maxHR }),
    areas,
  };
}

/** The fingerprint of a device: a serial is its maker's own. */
export function deviceFingerprint({
  serial,
  maker = "",
}: {
  readonly serial: string;
  readonly maker?: string;
}): string {
  return fingerprintOf("device", `${maker} ${serial}`);
}

/** The fingerprints of what names a person and nobody else. */
export function personFingerprints({
  id,
  email,
}: {
  readonly id?: string;
  readonly email?: string;
}): readonly string[] {
  return [
    id === undefined ? [] : fingerprintOf("person", id),
    email === undefined ? [] : fingerprintOf("person", foldWord(email)),
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
    ...defined({ weight, maxHR }),
    areas: [...newer.areas, ...older.areas].sort((a, b) => b.workouts - a.workouts).slice(0, MOST),
  };
}

/** The same archive is read each month anew: its files are not added up. */
function joined(older: DeviceSeenBefore | undefined, newer: DeviceSeenBefore): DeviceSeenBefore {
  if (older === undefined) return newer;
  const first = [older.first, newer.first].filter((day) => day !== undefined).sort()[0];
  const last = [older.last, newer.last]
    .filter((day) => day !== undefined)
    .sort()
    .at(-1);
  return {
    mark: newer.mark,
    files: Math.max(older.files, newer.files),
    ...defined({ first, last }),
  };
}

/** Whether what is remembered is of an athlete: what went to the same log. A log without a name is told by the athlete's. */
export function isOwn(
  one: Pick<Remembered, "athlete" | "baseUrl" | "userHash">,
  athlete: string,
  account: AccountRef,
): boolean {
  if (one.baseUrl !== account.baseUrl || one.userHash !== account.userHash) return false;
  return account.name !== NAMELESS || isCalled(one.athlete, athlete);
}

/** Whether two words are one athlete's name; one without letters is compared as it stands. */
export function isCalled(one: string, other: string): boolean {
  const [a, b] = [foldName(one), foldName(other)];
  return a === b && (a !== "" || one.trim() === other.trim());
}

/**
 * Everything that is remembered, in no order.
 *
 * @param folder as `remember` was given it; one that isn't there holds nothing
 * @throws FatalError `identity/memory` for a file that isn't what `remember` writes: without it a mix-up might go unnoticed
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
  for (const name of names) if (/^[0-9a-f]{32}\.json$/.test(name)) all.push(await readOne(join(folder, name)));
  return all;
}

async function readOne(path: string): Promise<Remembered> {
  const { size } = await stat(path);
  const content = size > FILE_BYTES ? undefined : parsed(await readFile(path, "utf8"));
  if (content !== undefined) return { ...content, path };
  const state = "it is not what is remembered of an athlete, or a newer logferry wrote it";
  throw new FatalError("identity/memory", "journal", `Cannot use ${path}: ${state}. Remove it to have them forgotten`);
}

/** @returns undefined for a text that is none of ours */
function parsed(text: string): Omit<Remembered, "path"> | undefined {
  try {
    const content: unknown = JSON.parse(text);
    return isRemembered(content) ? content : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isRemembered(content: unknown): content is Omit<Remembered, "path"> {
  if (!isRecord(content) || content.version !== VERSION) return false;
  const { athlete, baseUrl, userHash, trace, trusted } = content;
  if (![athlete, baseUrl, userHash].every(isText) || !isList(trusted, isText)) return false;
  if (!isRecord(trace) || !isRecord(trace.sample) || !isList(trace.sample.marks, isText)) return false;
  if (!isList(trace.digests, isText) || !isList(trace.persons, isText)) return false;
  if (!isList(trace.devices, (each) => isRecord(each) && isText(each.mark))) return false;
  if (!isList(trace.areas, (each) => isRecord(each) && isNumber(each.lat) && isNumber(each.lon))) return false;
  return [trace.weight, trace.maxHR].every((each) => each === undefined || (isRecord(each) && isNumber(each.median)));
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}

function isNumber(value: unknown): boolean {
  return typeof value === "number";
}

function isList(value: unknown, isRight: (each: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isRight);
}

/** Whose archives went where. */
export interface Passed {
  readonly athlete: string;
  readonly account: AccountRef;
  readonly evidence: OwnerEvidence;
  /** Fingerprints of the contradictions that a person said are none, from now on. */
  readonly trusted?: readonly string[];
}

/** The fingerprint of a contradiction by which an athlete's archives went to another log up to now. */
export const OTHER_LOG = "other-log";

/**
 * Remembers an athlete whose archives were let through, beside what was remembered of them before. The file is written anew and renamed, so
 * that the old or the new is there whole. Where another log than before is trusted to be theirs, what is remembered goes along.
 */
export async function remember(folder: string, { athlete, account, evidence, trusted = [] }: Passed): Promise<void> {
  const { baseUrl, userHash } = account;
  const label = account.name === NAMELESS ? foldName(athlete) || athlete : "";
  const name = createHash("sha256").update(`${baseUrl}\u0000${userHash}\u0000${label}`).digest("hex");
  const path = join(folder, `${name.slice(0, 32)}.json`);
  const own = await readIfThere(path);
  const moved = trusted.includes(OTHER_LOG)
    ? (await readMemory(folder)).filter((one) => isElsewhere(one, athlete, account))
    : [];
  const before = own === undefined ? moved : [...moved, own];
  const trace = before.reduce<Trace>((sum, one) => merged(sum, one.trace), NOTHING);
  const content = {
    version: VERSION,
    athlete,
    baseUrl,
    userHash,
    trusted: [...new Set([...before.flatMap((one) => one.trusted), ...trusted])].slice(-MOST),
    trace: merged(trace, toTrace(evidence)),
  };
  await writePrivateFile(path, `${JSON.stringify(content, null, 1)}\n`);
  for (const one of moved) await rm(one.path, { force: true });
}

/** Whether it is of an athlete of this name at the same service, and of another log. */
export function isElsewhere(one: Remembered, athlete: string, account: AccountRef): boolean {
  return one.baseUrl === account.baseUrl && isCalled(one.athlete, athlete) && !isOwn(one, athlete, account);
}

async function readIfThere(path: string): Promise<Remembered | undefined> {
  try {
    return await readOne(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
