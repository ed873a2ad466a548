/** Zips that hold no workouts, and belong to a zip of the same platform that does. A person names both in one command. */
import { nameOfSource } from "../../connectors/containers/address.ts";
import type { Place } from "./places.ts";

/**
 * The names of such zips, and of those that they belong to, the best one first. TrainingPeaks gives three zips: `WorkoutExport-20220601.zip`,
 * `WorkoutFileExport-20220601.zip` and `MetricsExport-20220601.zip`.
 */
const COMPANIONS = [
  { companion: /^MetricsExport\b.*\.zip$/i, hosts: [/^WorkoutExport\b.*\.zip$/i, /^WorkoutFileExport\b.*\.zip$/i] },
] as const;

/** Makes each such zip a part of the source that it belongs to. Of several, that with the same ending of its name comes first. */
export function withCompanions(places: readonly Place[]): readonly Place[] {
  const hostOf = new Map<Place, Place>();
  for (const place of places) {
    const name = nameOfSource(place.path);
    const kind = COMPANIONS.find(({ companion }) => companion.test(name));
    if (kind === undefined || place.parts.length > 0) continue;
    const found = kind.hosts.flatMap((host) => places.filter(({ path }) => host.test(nameOfSource(path))));
    const host = found.find(({ path }) => endingOf(path) === endingOf(place.path)) ?? found[0];
    if (host !== undefined) hostOf.set(place, host);
  }
  return places
    .filter((place) => !hostOf.has(place))
    .map((place) => {
      const own = places.filter((other) => hostOf.get(other) === place).map(({ path }) => path);
      return own.length === 0 ? place : { ...place, parts: [...place.parts, ...own] };
    });
}

/** What follows the kind in a name: `-20220601.zip`. */
function endingOf(path: string): string {
  return nameOfSource(path).replace(/^[a-z]{1,40}/i, "");
}
