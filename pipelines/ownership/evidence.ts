/**
 * Collects evidence about the owner of an archive while the archive is read: devices, persons, weights, heart rates, and the places where
 * workouts begin. It takes the same small memory for ten workouts and for a hundred thousand.
 */
import { hash } from "node:crypto";
import type { Position } from "../../transforms/geo.ts";
import type { Reading, WorkoutItem } from "../../transforms/model/item.ts";
import type { FileEvidence, PersonEvidence } from "../../transforms/model/owner-evidence.ts";
import { convert, inMetres, type Measure } from "../../transforms/units.ts";
import { readSource } from "../sources/read-source.ts";
import type { OpenedSource } from "../sources/sources.ts";
import { type Sample, sampler } from "./sample.ts";
import { type Spread, tallyOf } from "./spread.ts";

/** A device, and its recordings in one archive. */
export interface DeviceSeen {
  readonly serial: string;
  readonly maker?: string;
  readonly product?: string;
  readonly files: number;
  /** Days in UTC, `2024-05-01`; absent when no file gives its time of recording. */
  readonly first?: string;
  readonly last?: string;
}

/** A person that files of an archive name or describe. */
export interface PersonSeen {
  /** The first file that names this person. */
  readonly entry: string;
  readonly files: number;
  /** The details of the person. For values that change with the years, they are those of the first file. */
  readonly details: PersonEvidence;
}

/** An area of about five kilometres where workouts begin. */
export interface AreaSeen extends Position {
  readonly workouts: number;
}

/** The evidence in one archive. */
export interface ArchiveEvidence {
  /** The archive's name as the person typed it, without its folder. */
  readonly name: string;
  readonly workouts: number;
  /**
   * Equal for two archives with the same workouts, even if they were packed in different ways. Undefined for an archive without workouts.
   */
  readonly digest?: string;
  /** Fingerprints of its workouts. */
  readonly sample: Sample;
  /** Devices, the one with the most files first. */
  readonly devices: readonly DeviceSeen[];
  readonly persons: readonly PersonSeen[];
  /** Weights in kilograms. */
  readonly weight?: Spread;
  /** Highest heart rate of each workout, in beats per minute. */
  readonly maxHR?: Spread;
  /** Areas, the one with the most workouts first. */
  readonly areas: readonly AreaSeen[];
  /** Number of workouts with a start position. */
  readonly placed: number;
}

/** The evidence in all archives of one athlete, in the order they were given. */
export interface OwnerEvidence {
  readonly archives: readonly ArchiveEvidence[];
}

/** Collects owner evidence while the archives of one athlete are read. */
export interface EvidenceCollector {
  /**
   * Called before a source is read.
   *
   * @param index its position among the athlete's sources, from 0
   */
  open(index: number, name: string): void;
  /** Called with every record of a source. */
  addReading(index: number, reading: Reading): void;
  /** Called with the evidence that a file of a source gives about its owner. */
  addFile(index: number, evidence: FileEvidence): void;
  evidence(): OwnerEvidence;
}

/** Limit for each other kind of evidence: people have only a few watches and places. */
const MOST = 50;
/** 5 km in degrees of latitude. */
const SQUARE = 0.045;

/** Makes a collector without evidence. */
export function createEvidenceCollector(): EvidenceCollector {
  const archives: (Gathering | undefined)[] = [];
  const at = (index: number) => {
    archives[index] ??= gathering("");
    return archives[index];
  };
  return {
    open(index, name) {
      archives[index] = gathering(name);
    },
    addReading(index, reading) {
      if (reading.kind === "workout") at(index).workout(reading);
    },
    addFile: (index, evidence) => at(index).evidence(evidence),
    evidence: () => ({ archives: archives.flatMap((each) => (each === undefined ? [] : [each.result()])) }),
  };
}

/**
 * Reads sources only for evidence about their owner. This serves athletes whose log can't be asked.
 *
 * @throws FatalError reason `source` for a source that can't be read
 */
export async function readOwnerEvidence(sources: readonly OpenedSource[], signal: AbortSignal): Promise<OwnerEvidence> {
  const collector = createEvidenceCollector();
  for (const [index, source] of sources.entries()) {
    collector.open(index, source.archive.name);
    const context = {
      signal,
      report: () => undefined,
      sports: new Map<string, never>(),
      reportOwner: (evidence: FileEvidence) => collector.addFile(index, evidence),
    };
    for await (const reading of readSource(source, context)) {
      collector.addReading(index, reading);
      if (signal.aborted) break;
    }
  }
  return collector.evidence();
}

interface Gathering {
  workout(item: WorkoutItem): void;
  evidence(evidence: FileEvidence): void;
  result(): ArchiveEvidence;
}

function gathering(name: string): Gathering {
  const sample = sampler();
  const devices = new Map<string, { -readonly [K in keyof DeviceSeen]: DeviceSeen[K] }>();
  const persons = new Map<string, { entry: string; files: number; details: PersonEvidence }>();
  const areas = new Map<string, { lat: number; lon: number; workouts: number }>();
  const weights = tallyOf(10);
  const rates = tallyOf(1);
  let workouts = 0;
  let placed = 0;
  let sum = 0n;

  const weigh = (weight: Measure<"weight"> | undefined) => {
    if (weight !== undefined) weights.add(convert("weight", weight, "kg").value);
  };
  const place = ({ lat, lon }: Position) => {
    placed++;
    const key = squareOf({ lat, lon });
    const known = areas.get(key);
    if (known === undefined) {
      // The thousandth place of a traveller is not their home, so this list needs a limit.
      if (areas.size < MOST * 20) areas.set(key, { lat, lon, workouts: 1 });
      return;
    }
    known.workouts++;
    known.lat += (lat - known.lat) / known.workouts;
    known.lon += (lon - known.lon) / known.workouts;
  };
  return {
    workout(item) {
      workouts++;
      const digest = fingerprintOf(item);
      sum = (sum + BigInt(`0x${digest.slice(0, 32)}`)) & ALL_BITS;
      sample.add(digest.slice(32, 48));
      weigh(item.value.health?.weight);
      const { maxHR } = item.value.health ?? {};
      if (maxHR !== undefined && maxHR > 0) rates.add(maxHR);
      if (item.value.start.position !== undefined) place(item.value.start.position);
    },
    evidence({ entry, instant, device, person }) {
      if (device !== undefined) {
        const key = `${device.maker ?? ""} ${device.serial}`;
        const known = devices.get(key) ?? (devices.size < MOST ? { ...device, files: 0 } : undefined);
        if (known !== undefined) {
          devices.set(key, known);
          known.files++;
          const day = instant === undefined ? undefined : dayOf(instant);
          if (day !== undefined && (known.first === undefined || day < known.first)) known.first = day;
          if (day !== undefined && (known.last === undefined || day > known.last)) known.last = day;
        }
      }
      if (person === undefined) return;
      weigh(person.weight);
      const { id, email, givenName, familyName, sex } = person;
      // The year of birth is not part of the key. Files that give an age lead to another year each January.
      const key = JSON.stringify([id, email, givenName, familyName, sex]);
      const known = persons.get(key);
      if (known !== undefined) known.files++;
      else if (persons.size < MOST) persons.set(key, { entry, files: 1, details: person });
    },
    result: () => ({
      name,
      workouts,
      ...(workouts > 0 && { digest: `${workouts}:${sum.toString(16).padStart(32, "0")}` }),
      sample: sample.sample(),
      devices: [...devices.values()].sort((a, b) => b.files - a.files),
      persons: [...persons.values()],
      ...(weights.count > 0 && { weight: weights.spread() }),
      ...(rates.count > 0 && { maxHR: rates.spread() }),
      areas: [...areas.values()].sort((a, b) => b.workouts - a.workouts).slice(0, MOST),
      placed,
    }),
  };
}

const ALL_BITS = (1n << 128n) - 1n;

/** A fingerprint of a workout's values. The place and the packing of its file make no difference. */
function fingerprintOf({ key, value: { start, distance, duration } }: WorkoutItem): string {
  const metres = distance === undefined ? "" : Math.round(inMetres(distance));
  const when = start.instant ?? `${start.date} ${start.time}`;
  return hash("sha256", `${key}\u0000${when}\u0000${metres}\u0000${Math.round(duration ?? -1)}`);
}

/** A square of about 5 km. Degrees of longitude get shorter toward the poles, so this scales them. */
function squareOf({ lat, lon }: Position): string {
  const row = Math.floor(lat / SQUARE);
  const narrow = Math.max(0.05, Math.cos(((row + 0.5) * SQUARE * Math.PI) / 180));
  return `${row} ${Math.floor((lon * narrow) / SQUARE)}`;
}

/** The day in UTC; undefined for an instant outside the range of dates. */
function dayOf(instant: number): string | undefined {
  const date = new Date(instant);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString().slice(0, 10);
}
