/**
 * Remembers athletes between runs, so that logferry notices mixed-up archives next month too. Each athlete has one small file that only its
 * owner can read. It contains serials, addresses and ids as fingerprints only, because logferry compares them and never shows them.
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

/** The memory of an athlete's archives. Persons and devices are kept as fingerprints only. */
export interface Trace {
  readonly digests: readonly string[];
  /** A sample of the workouts of all archives. */
  readonly sample: Sample;
  readonly devices: readonly DeviceSeenBefore[];
  /** Fingerprints of the platforms' ids and of e-mail addresses. */
  readonly persons: readonly string[];
  readonly weight?: Spread;
  readonly maxHR?: Spread;
  readonly areas: readonly AreaSeen[];
}

/** An athlete in a fleet. */
export interface Member {
  /** Different for each name with a screen name and an e-mail address. */
  readonly key: string;
  /** The fingerprint of the roster. Within one roster, a name alone says who it is. */
  readonly roster: string;
}

/** An athlete of earlier runs. */
export interface Remembered {
  /** The coach's name for the athlete. */
  readonly athlete: string;
  /** The log that the archives went to. */
  readonly baseUrl: string;
  readonly userHash: string;
  /** Tells the athlete from others of the same name in a fleet, where rosters of many teams meet. Absent on one machine. */
  readonly member?: Member;
  readonly trace: Trace;
  /** Fingerprints of the contradictions that a person trusted. */
  readonly trusted: readonly string[];
  /** The path of the file, for a person who wants to remove it. */
  readonly path: string;
}

/** The version of the files. A file of another version is refused. */
const VERSION = 1;
/** Largest file size: about a hundred times the size of a usual file. */
const FILE_BYTES = 4 * 2 ** 20;
/** Limit of archives, devices and places for each athlete. The newest archives stay, and the devices and places with the most use. */
const MOST = 200;

/** The fingerprint of a value that must not be stored itself. */
export function fingerprintOf(kind: "device" | "person", value: string): string {
  return createHash("sha256").update(`logferry ${kind}\u0000${value}`).digest("hex").slice(0, 24);
}

/** The evidence of all archives, with fingerprints in place of names. */
export function toTrace({ archives }: OwnerEvidence): Trace {
  return archives.reduce<Trace>((trace, archive) => merged(trace, ofArchive(archive)), NOTHING);
}

const NOTHING: Trace = { digests: [], sample: { marks: [] }, devices: [], persons: [], areas: [] };

/** The evidence of one archive, with fingerprints in place of names. */
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

/** The fingerprint of a device. It includes the maker, because two makers may use the same serial. */
export function deviceFingerprint({
  serial,
  maker = "",
}: {
  readonly serial: string;
  readonly maker?: string;
}): string {
  return fingerprintOf("device", `${maker} ${serial}`);
}

/** The fingerprints of the values that identify a single person. */
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

/** Merges two traces of one athlete. Weight and heart rate come from the newer one, because a person's weight changes. */
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

/** The same archive is read again each month. So the file counts are not added: the larger one stays. */
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

/**
 * Whether a remembered entry belongs to an athlete: its archives went to the same log. For a log without a name, the athlete's name must
 * match too.
 */
export function isOwn(
  one: Pick<Remembered, "athlete" | "baseUrl" | "userHash">,
  athlete: string,
  account: AccountRef,
): boolean {
  if (one.baseUrl !== account.baseUrl || one.userHash !== account.userHash) return false;
  return account.name !== NAMELESS || isCalled(one.athlete, athlete);
}

/** Whether two texts are the same athlete's name. Names without letters are compared as typed. */
export function isCalled(one: string, other: string): boolean {
  return calledKey(one) === calledKey(other);
}

/** A text that is equal for two spellings of the same athlete's name. */
export function calledKey(name: string): string {
  const folded = foldName(name);
  return folded === "" ? `typed ${name.trim()}` : `called ${folded}`;
}

/**
 * Reads the whole memory, in no particular order.
 *
 * @param folder the folder given to `remember`; a missing folder gives an empty memory
 * @throws FatalError `identity/memory` for a file that `remember` did not write; without this error, a mix-up might stay unnoticed
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

/** @returns undefined for a text that is not from `remember` */
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

/** An athlete whose archives may go into the log. */
export interface Passed {
  readonly athlete: string;
  readonly account: AccountRef;
  /** As in `Remembered`. */
  readonly member?: Member;
  readonly evidence: OwnerEvidence;
  /** Fingerprints of the contradictions that a person trusts from now on. */
  readonly trusted?: readonly string[];
}

/** The fingerprint of the contradiction that an athlete's archives went to another log before. */
export const OTHER_LOG = "other-log";

/**
 * Remembers an athlete whose archives passed the checks, and adds the athlete's earlier memory. It writes a new file and renames it, so
 * that either the old or the new file is complete. If a person trusts a change to another log, the memory moves to that log.
 */
export async function remember(folder: string, passed: Passed): Promise<void> {
  const path = join(folder, `${memoryName(passed)}.json`);
  const own = await readIfThere(path);
  const moved = isMoved(passed)
    ? (await readMemory(folder)).filter((one) => isElsewhere(one, passed, passed.account))
    : [];
  const content = { version: VERSION, ...withPassed(passed, own === undefined ? moved : [...moved, own]) };
  await writePrivateFile(path, `${JSON.stringify(content, null, 1)}\n`);
  for (const one of moved) await rm(one.path, { force: true });
}

/** The name of an athlete's memory: 32 hexadecimal digits, different for each log. */
export function memoryName({ athlete, account }: Pick<Passed, "athlete" | "account">): string {
  const { baseUrl, userHash } = account;
  const label = account.name === NAMELESS ? foldName(athlete) || athlete : "";
  const name = createHash("sha256").update(`${baseUrl}\u0000${userHash}\u0000${label}`).digest("hex");
  return name.slice(0, 32);
}

/** Whether a person trusts that the athlete has another log now. Then the memory for the other log (`isElsewhere`) moves to this one. */
export function isMoved({ trusted = [] }: Passed): boolean {
  return trusted.includes(OTHER_LOG);
}

/** The memory of an athlete after these archives. @param before the memories that become part of it, the athlete's own one last */
export function withPassed(
  { athlete, account: { baseUrl, userHash }, member, evidence, trusted = [] }: Passed,
  before: readonly Remembered[],
): Omit<Remembered, "path"> {
  const trace = before.reduce<Trace>((sum, one) => merged(sum, one.trace), NOTHING);
  return {
    athlete,
    baseUrl,
    userHash,
    ...defined({ member }),
    trusted: [...new Set([...before.flatMap((one) => one.trusted), ...trusted])].slice(-MOST),
    trace: merged(trace, toTrace(evidence)),
  };
}

/**
 * Whether an entry is for this athlete at the same service, but for another log. On one machine the name decides. In a fleet it decides only within a
 * roster.
 */
export function isElsewhere(
  one: Remembered,
  { athlete, member }: { readonly athlete: string; readonly member?: Member },
  account: AccountRef,
): boolean {
  if (one.baseUrl !== account.baseUrl || isOwn(one, athlete, account)) return false;
  const isSame = isCalled(one.athlete, athlete);
  if (one.member === undefined || member === undefined) return isSame;
  return one.member.key === member.key || (isSame && one.member.roster === member.roster);
}

async function readIfThere(path: string): Promise<Remembered | undefined> {
  try {
    return await readOne(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
