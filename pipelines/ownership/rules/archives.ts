/** Finds an archive that two athletes share, as a whole or in part. */

import { foldName } from "../../log/names.ts";
import { quoted } from "../../log/owner.ts";
import type { ArchiveEvidence } from "../evidence.ts";
import { shared } from "../sample.ts";
import { type ArchiveRule, blocksAgainst, isOtherProven, isProven, named, THRESHOLDS } from "./rule.ts";

/** The archive has exactly the workouts of another athlete's archive. */
export const sameArchive: ArchiveRule = (known, archive, others) => {
  const { suspect } = known;
  const { name, digest, workouts } = archive;
  if (digest === undefined) return [];
  const isOwn = isProven(suspect, archive);
  return blocksAgainst(known, others.withDigest(digest), (other) => {
    if (!other.trace.digests.includes(digest)) return undefined;
    // If the archive contains this athlete's own profile, it is theirs. Then the other athlete is blocked.
    if (isOwn && !isOtherProven(other, (one) => one.digest === digest)) return undefined;
    const when = other.suspect === undefined ? "was given" : "is given";
    const says = `${named(name)} holds the same ${workouts === 1 ? "workout" : `${workouts} workouts`} as an archive that ${when} to ${quoted(other.athlete)}`;
    const { athlete } = suspect;
    return { athlete, rule: "same-archive", says, key: "same-archive", with: other.athlete, final: true };
  });
};

/** The archive has some workouts of another athlete. */
export const sameWorkouts: ArchiveRule = (known, archive, others) => {
  const { suspect, before } = known;
  const { sample, digest } = archive;
  // If this athlete had as many of the workouts before, or the archive contains their own profile, the workouts are theirs. Then the other
  // athlete is blocked.
  const ownBefore = before === undefined ? 0 : shared(sample, before.sample).both;
  const least = Math.max(THRESHOLDS.workouts, ownBefore + 1);
  const isOwn = isProven(suspect, archive);
  return blocksAgainst(known, others.withWorkouts(sample, least), (other) => {
    const { both, of } = shared(sample, other.trace.sample);
    const isSame = digest !== undefined && other.trace.digests.includes(digest);
    if (isSame || both < least || both < of * THRESHOLDS.workoutsShare) return undefined;
    const hasThem = (one: ArchiveEvidence) => shared(sample, one.sample).both > 0;
    if (isOwn && !isOtherProven(other, hasThem)) return undefined;
    const share = Math.round((both / of) * 100);
    const says = `of the workouts of ${named(archive.name)} that were compared ${both} of ${of} (${share} %) are those of ${quoted(other.athlete)}`;
    const key = `same-workouts ${foldName(other.athlete)}`;
    return { athlete: suspect.athlete, rule: "same-workouts", says, key, with: other.athlete };
  });
};
