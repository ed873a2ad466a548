/**
 * Who an athlete was the last time, where the roster calls them otherwise today. A name put right, or an address added, must not begin a new
 * journal: it would know nothing of what was sent before, nor of what the athlete took out of their log since.
 */
import { hash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { withoutLastSlashes } from "../../connectors/api/base-url.ts";
import { foldedName } from "../../pipelines/batch/names.ts";
import { type Outcome, readOutcome } from "../../pipelines/batch/outcome.ts";
import type { OptionValues } from "../arguments/options.ts";
import { batchFolder, findAddress } from "./athlete.ts";
import type { Athlete } from "./roster.ts";

/** What tells that two rows mean one person: the log, and the name or the address that it knows its owner by. Hashes, so no outcome holds an address. */
function fingerprintsOf({ expects }: Athlete, url: string): readonly string[] {
  return Object.entries(expects).map(([kind, name]) =>
    hash("sha256", JSON.stringify([withoutLastSlashes(url), kind, foldedName(name)])),
  );
}

/** The fingerprints to remember an athlete by; those without an address are for when the roster is only looked at. */
export async function knownBy(athlete: Athlete, shared: OptionValues): Promise<readonly string[]> {
  return [...fingerprintsOf(athlete, (await findAddress(athlete, shared)) ?? ""), ...fingerprintsOf(athlete, "")];
}

/**
 * The athletes, each under the key that their journal has: whoever has none under the name of today goes on with that of the same person.
 *
 * @param shared options of the command line
 */
export async function followed(athletes: readonly Athlete[], shared: OptionValues): Promise<readonly Athlete[]> {
  const before = await keptOutcomes();
  if (athletes.every(({ key }) => before.has(key))) return athletes;
  const taken = new Set(athletes.map(({ key }) => key));
  const now: Athlete[] = [];
  for (const athlete of athletes) {
    const fingerprints = before.has(athlete.key)
      ? []
      : fingerprintsOf(athlete, (await findAddress(athlete, shared)) ?? "");
    const [latest] = [...before]
      .filter(
        ([key, one]) =>
          !taken.has(key) &&
          one.journal !== undefined &&
          one.knownBy?.some((fingerprint) => fingerprints.includes(fingerprint)),
      )
      .toSorted(([, a], [, b]) => b.at - a.at);
    if (latest !== undefined) taken.add(latest[0]);
    now.push(latest === undefined ? athlete : { ...athlete, key: latest[0] });
  }
  return now;
}

/** What is remembered, by key; of a file that can't be read its own athlete hears. */
async function keptOutcomes(): Promise<ReadonlyMap<string, Outcome>> {
  const names = await readdir(batchFolder()).catch(() => []);
  const keys = names.filter((name) => name.endsWith(".json")).map((name) => name.slice(0, -".json".length));
  const read = await Promise.all(
    keys.map(async (key) => [key, await readOutcome(batchFolder(), key).catch(() => undefined)] as const),
  );
  return new Map(read.flatMap(([key, outcome]) => (outcome === undefined ? [] : [[key, outcome]])));
}
