/** The input of the rules, the functions they share, and their thresholds. */
import type { Position } from "../../../transforms/geo.ts";
import { printable } from "../../../transforms/text/printable.ts";
import { foldWord, likenessOf } from "../../log/names.ts";
import type { Block, Suspect } from "../block.ts";
import type { ArchiveEvidence } from "../evidence.ts";
import type { Trace } from "../memory.ts";
import type { Sample } from "../sample.ts";

/** The thresholds. docs/who-is-who.md gives the reason for each. */
export const THRESHOLDS = {
  /** Files of one device in another athlete's archive. */
  deviceFiles: 2,
  /** From this number of athletes on, a device counts as lent, or as a machine of a club. */
  deviceAthletes: 4,
  /** Workouts in common, as a number and as a share of the compared ones. */
  workouts: 2,
  workoutsShare: 0.1,
  /** Ratio of two weights, in either direction. */
  weight: 1.25,
  /** Beats per minute above the known maximum, and the minimum number of workouts with a heart rate. */
  heartRate: 20,
  heartRateWorkouts: 5,
  /** Metres between two homes. An area is a home from this number of workouts on, and with this share of the workouts. */
  homeMetres: 10_000,
  homeWorkouts: 10,
  homeShare: 0.4,
  /** Years between two dates of birth. */
  birthYears: 3,
  /** Number of watch files that give the same person as wearer. */
  wearerFiles: 5,
} as const;

/** An athlete, with the evidence of this run and of earlier runs. */
export interface Known {
  readonly suspect: Suspect;
  readonly archives: readonly ArchiveEvidence[];
  /** The evidence of this run and of earlier runs. */
  readonly all: Trace;
  /** The evidence of earlier runs; undefined when there were none. */
  readonly before: Trace | undefined;
  readonly trusted: ReadonlySet<string>;
}

/** Another athlete: from this roster, or from an earlier run. */
export interface Other {
  readonly athlete: string;
  readonly trace: Trace;
  /** The athlete in this roster; undefined for one from memory only. */
  readonly suspect?: Suspect;
}

/**
 * The other athletes of one athlete, in the order of the roster, and those of earlier runs after them. Each answer has at least everybody who shares
 * what is asked for, and perhaps more.
 */
export interface Others {
  withDigest(digest: string): Iterable<Other>;
  /** @param least workouts in common */
  withWorkouts(sample: Sample, least: number): Iterable<Other>;
  withDevice(fingerprint: string): Iterable<Other>;
  /** Those whose archives name one of these persons, or whose log or row has this e-mail address. */
  withPerson(fingerprints: readonly string[], email: string | undefined): Iterable<Other>;
  /** Those whose home is within `homeMetres`. */
  near(home: Position): Iterable<Other>;
}

/** Checks one archive of one athlete. */
export type ArchiveRule = (known: Known, archive: ArchiveEvidence, others: Others) => readonly Block[];

/** The most blocks by one rule. A roster that gives one archive to ten thousand athletes would have a hundred million. */
export const MOST_BLOCKS = 200;

/** The first blocks against others, without those that a person trusted for good. */
export function blocksAgainst(
  { trusted }: Pick<Known, "trusted">,
  others: Iterable<Other>,
  block: (other: Other) => Block | undefined,
): readonly Block[] {
  const blocks: Block[] = [];
  for (const other of others) {
    const one = block(other);
    if (one === undefined || (one.final !== true && trusted.has(one.key))) continue;
    blocks.push(one);
    if (blocks.length === MOST_BLOCKS) break;
  }
  return blocks;
}

/** Whether an archive names its athlete: by the e-mail address, or by the full name together with a platform's id. */
export function isProven(suspect: Suspect, { persons }: ArchiveEvidence): boolean {
  const { owner = {}, expects } = suspect;
  return persons.some(
    ({ details }) =>
      isMail(details.email, [owner.email, expects.email]) ||
      (details.id !== undefined && likenessOf(details, namesOf(suspect)) === "same"),
  );
}

/** All known names of the athlete. */
export function namesOf({ athlete, called = [athlete], owner = {} }: Suspect): readonly string[] {
  const full = [owner.givenName, owner.familyName].filter((part) => part !== undefined).join(" ");
  return [...called, full].filter((name) => name !== "");
}

/**
 * Whether archives of another athlete name that athlete. A remembered athlete counts as named, because their archives passed before.
 *
 * @param isMeant selects the archives that count: an unrelated archive of theirs proves nothing about this one
 */
export function isOtherProven(
  { suspect }: Other,
  isMeant: (archive: ArchiveEvidence) => boolean = () => true,
): boolean {
  if (suspect === undefined) return true;
  return (suspect.evidence?.archives ?? []).some((archive) => isMeant(archive) && isProven(suspect, archive));
}

/** The athlete's archives, except one. */
export function otherArchives({ archives }: Known, archive: ArchiveEvidence): readonly ArchiveEvidence[] {
  return archives.filter((each) => each !== archive);
}

/** Whether an address equals one of the addresses in `own`. */
export function isMail(email: string | undefined, own: readonly (string | undefined)[]): boolean {
  return email !== undefined && own.some((each) => each !== undefined && foldWord(each) === foldWord(email));
}

/** An archive's name, safe to show. */
export function named(archive: string): string {
  return printable(archive, 80);
}
