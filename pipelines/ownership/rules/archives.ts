/** Finds an archive that two athletes share, as a whole or in part. */

import { foldName } from "../../log/names.ts";
import { quoted } from "../../log/owner.ts";
import type { ArchiveEvidence } from "../evidence.ts";
import { shared } from "../sample.ts";
import { type ArchiveRule, isOtherProven, isProven, named, THRESHOLDS } from "./rule.ts";

/** The archive has exactly the workouts of another athlete's archive. */
export const sameArchive: ArchiveRule = ({ suspect }, archive, others) =>
  others.flatMap((other) => {
    const { athlete } = suspect;
    const { name, digest, workouts } = archive;
    if (digest === undefined || !other.trace.digests.includes(digest)) return [];
    // If the archive contains this athlete's own profile, it is theirs. Then the other athlete is blocked.
    if (isProven(suspect, archive) && !isOtherProven(other, (one) => one.digest === digest)) return [];
    const when = other.suspect === undefined ? "was given" : "is given";
    const says = `${named(name)} holds the same ${workouts === 1 ? "workout" : `${workouts} workouts`} as an archive that ${when} to ${quoted(other.athlete)}`;
    return [{ athlete, rule: "same-archive", says, key: "same-archive", with: other.athlete, final: true }] as const;
  });

/** The archive has some workouts of another athlete. */
export const sameWorkouts: ArchiveRule = (known, archive, others) => {
  if (!archive.sample.marks.some((mark) => known.common.has(mark))) return [];
  return others.flatMap((other) => {
    const { athlete } = known.suspect;
    const { both, of } = shared(archive.sample, other.trace.sample);
    const isSame = archive.digest !== undefined && other.trace.digests.includes(archive.digest);
    if (isSame || both < THRESHOLDS.workouts || both < of * THRESHOLDS.workoutsShare) return [];
    // If this athlete had the workouts before, or the archive contains their own profile, the workouts are theirs. Then the other athlete
    // is blocked.
    if (known.before !== undefined && shared(archive.sample, known.before.sample).both >= both) return [];
    const hasThem = (one: ArchiveEvidence) => shared(archive.sample, one.sample).both > 0;
    if (isProven(known.suspect, archive) && !isOtherProven(other, hasThem)) return [];
    const share = Math.round((both / of) * 100);
    const says = `of the workouts of ${named(archive.name)} that were compared ${both} of ${of} (${share} %) are those of ${quoted(other.athlete)}`;
    return [
      { athlete, rule: "same-workouts", says, key: `same-workouts ${foldName(other.athlete)}`, with: other.athlete },
    ];
  });
};
