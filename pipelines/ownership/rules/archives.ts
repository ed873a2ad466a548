/** One archive for two athletes, in whole or in part. */
import { foldName } from "../../log/names.ts";
import { quoted } from "../../log/owner.ts";
import { shared } from "../sample.ts";
import { type ArchiveRule, isOtherProven, isProven, named, THRESHOLDS } from "./rule.ts";

/** The very workouts of another athlete. */
export const sameArchive: ArchiveRule = ({ suspect: { athlete } }, { name, digest, workouts }, others) =>
  others.flatMap((other) => {
    if (digest === undefined || !other.trace.digests.includes(digest)) return [];
    const when = other.suspect === undefined ? "was given" : "is given";
    const says = `${named(name)} holds the very workouts (${workouts}) that an archive of ${quoted(other.athlete)} holds, which ${when} to that athlete`;
    return [{ athlete, rule: "same-archive", says, mark: "same-archive", with: other.athlete, final: true }] as const;
  });

/** Some of the workouts of another athlete. */
export const sameWorkouts: ArchiveRule = (known, archive, others) => {
  if (!archive.sample.marks.some((mark) => known.common.has(mark))) return [];
  return others.flatMap((other) => {
    const { athlete } = known.suspect;
    const { both, of } = shared(archive.sample, other.trace.sample);
    const isSame = archive.digest !== undefined && other.trace.digests.includes(archive.digest);
    if (isSame || both < THRESHOLDS.workouts || both < of * THRESHOLDS.workoutsShare) return [];
    // Who had them before, or whose archive says so itself, has them by right: the other one is held.
    if (known.before !== undefined && shared(archive.sample, known.before.sample).both >= both) return [];
    if (isProven(known.suspect, archive) && !isOtherProven(other)) return [];
    const share = Math.round((both / of) * 100);
    const says = `of the workouts of ${named(archive.name)} that were compared ${both} of ${of} (${share} %) are those of ${quoted(other.athlete)}`;
    return [
      { athlete, rule: "same-workouts", says, mark: `same-workouts ${foldName(other.athlete)}`, with: other.athlete },
    ];
  });
};
