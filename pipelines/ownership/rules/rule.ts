/** What a rule is given, what it may ask of it, and the thresholds of all of them. */
import { printable } from "../../../transforms/text/printable.ts";
import { foldWord, likenessOf } from "../../log/names.ts";
import type { Block, Suspect } from "../block.ts";
import type { ArchiveEvidence } from "../evidence.ts";
import type { Trace } from "../memory.ts";

/** The thresholds; docs/who-is-who.md has the reason of each. */
export const THRESHOLDS = {
  /** Files of one device in somebody else's archive. */
  deviceFiles: 2,
  /** A device of so many athletes is lent, or a machine of the club's. */
  deviceAthletes: 4,
  /** Workouts in common, of those compared. */
  workouts: 2,
  workoutsShare: 0.1,
  /** A weight so many times the other, or as many times less. */
  weight: 1.25,
  /** Beats a minute above what is known, in an archive of so many workouts with a heart rate. */
  heartRate: 20,
  heartRateWorkouts: 5,
  /** Metres between two homes, and workouts that make ground a home. */
  homeMetres: 10_000,
  homeWorkouts: 10,
  homeShare: 0.4,
  /** Years between two dates of birth. */
  birthYears: 3,
  /** Files of watches that say the same of who wears them. */
  wearerFiles: 5,
} as const;

/** An athlete with everything that is known of them, before and now. */
export interface Known {
  readonly suspect: Suspect;
  readonly archives: readonly ArchiveEvidence[];
  /** Now and before. */
  readonly all: Trace;
  /** From earlier runs; undefined where there were none. */
  readonly before: Trace | undefined;
  readonly trusted: ReadonlySet<string>;
  /** Fingerprints of workouts that more than one sample has: all but a few archives have none of them, and need be compared with nobody. */
  readonly common: ReadonlySet<string>;
}

/** Somebody else: of this roster, or of an earlier run. */
export interface Other {
  readonly athlete: string;
  readonly trace: Trace;
  /** An athlete of this very roster; undefined where only remembered. */
  readonly suspect?: Suspect;
}

/** Looks at one archive of one athlete. */
export type ArchiveRule = (known: Known, archive: ArchiveEvidence, others: readonly Other[]) => readonly Block[];

/** Whether an archive names the athlete itself: by the address, or by the whole name beside a platform's own number. */
export function isProven(suspect: Suspect, { persons }: ArchiveEvidence): boolean {
  const { owner = {}, expects } = suspect;
  return persons.some(
    ({ details }) =>
      isMail(details.email, [owner.email, expects.email]) ||
      (details.id !== undefined && likenessOf(details, namesOf(suspect)) === "same"),
  );
}

/** Every name the athlete is known by. */
export function namesOf({ athlete, called = [athlete], owner = {} }: Suspect): readonly string[] {
  const full = [owner.givenName, owner.familyName].filter((part) => part !== undefined).join(" ");
  return [...called, full].filter((name) => name !== "");
}

/**
 * Whether archives of somebody else name that athlete. Somebody who is only remembered was let through before, which is as good.
 *
 * @param isMeant which of the archives: another one that is theirs says nothing of this one
 */
export function isOtherProven(
  { suspect }: Other,
  isMeant: (archive: ArchiveEvidence) => boolean = () => true,
): boolean {
  if (suspect === undefined) return true;
  return (suspect.evidence?.archives ?? []).some((archive) => isMeant(archive) && isProven(suspect, archive));
}

/** The athlete's archives but one. */
export function otherArchives({ archives }: Known, archive: ArchiveEvidence): readonly ArchiveEvidence[] {
  return archives.filter((each) => each !== archive);
}

/** Whether an address is one of those. */
export function isMail(email: string | undefined, own: readonly (string | undefined)[]): boolean {
  return email !== undefined && own.some((each) => each !== undefined && foldWord(each) === foldWord(email));
}

/** An archive's name, safe to show. */
export function named(archive: string): string {
  return printable(archive, 80);
}
