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

/** Makes each such zip a part of the source that it belongs to. */
export function withCompanions(places: readonly Place[]): readonly Place[] {
  const nameOf = ({ path, parts }: Place) => (parts.length > 0 ? undefined : nameOfSource(path));
  return joined(places, nameOf).map(({ host, companions }) =>
    companions.length === 0 ? host : { ...host, parts: [...host.parts, ...companions.map(({ path }) => path)] },
  );
}

/** Something with the zips that belong to it. */
export interface Joined<T> {
  readonly host: T;
  readonly companions: readonly T[];
}

/**
 * Puts each such zip to the one that it belongs to. Of several, that with the same ending of its name comes first.
 *
 * @param nameOf the file name of a zip; undefined for what can't be a companion
 * @returns all others, in their order
 */
export function joined<T>(all: readonly T[], nameOf: (one: T) => string | undefined): readonly Joined<T>[] {
  const hostOf = new Map<T, T>();
  for (const one of all) {
    const name = nameOf(one) ?? "";
    const kind = COMPANIONS.find(({ companion }) => companion.test(name));
    if (kind === undefined) continue;
    const found = kind.hosts.flatMap((host) => all.filter((other) => host.test(nameOf(other) ?? "")));
    const host = found.find((other) => endingOf(nameOf(other) ?? "") === endingOf(name)) ?? found[0];
    if (host !== undefined) hostOf.set(one, host);
  }
  return all
    .filter((one) => !hostOf.has(one))
    .map((host) => ({ host, companions: all.filter((other) => hostOf.get(other) === host) }));
}

/** What follows the kind in a name: `-20220601.zip`. */
function endingOf(name: string): string {
  return name.replace(/^[a-z]{1,40}/i, "");
}
