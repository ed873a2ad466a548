/** Finds workouts that began at the home of another athlete. */
import { haversine } from "../../../transforms/geo.ts";
import { foldName } from "../../log/names.ts";
import { quoted } from "../../log/owner.ts";
import { type ArchiveRule, blocksAgainst, named, otherArchives, THRESHOLDS } from "./rule.ts";

/** The workouts began at another athlete's home, where this athlete never was before. */
export const otherHome: ArchiveRule = (known, archive, others) => {
  const [home] = archive.areas;
  if (home === undefined || home.workouts < THRESHOLDS.homeWorkouts) return [];
  if (home.workouts < archive.placed * THRESHOLDS.homeShare) return [];
  const own = [...otherArchives(known, archive).flatMap(({ areas }) => areas), ...(known.before?.areas ?? [])];
  const homes = own.filter(({ workouts }) => workouts >= THRESHOLDS.homeWorkouts);
  // Every area of their earlier workouts counts as theirs: a training camp, or the parents' town.
  if (homes.length === 0 || own.some((area) => haversine(area, home) < THRESHOLDS.homeMetres)) return [];
  const away = Math.round(Math.min(...homes.map((area) => haversine(area, home))) / 1000);
  return blocksAgainst(known, others.near(home), (other) => {
    const [theirs] = other.trace.areas;
    if (theirs === undefined || theirs.workouts < THRESHOLDS.homeWorkouts) return undefined;
    if (haversine(theirs, home) >= THRESHOLDS.homeMetres) return undefined;
    const says =
      `${home.workouts} of the ${archive.placed} workouts of ${named(archive.name)} that say where they began, began where ${quoted(other.athlete)} is at home, ` +
      `${away} km from where the athlete was up to now`;
    const { athlete } = known.suspect;
    return { athlete, rule: "home", says, key: `home ${foldName(other.athlete)}`, with: other.athlete };
  });
};
