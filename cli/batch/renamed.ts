/**
 * Recognises an athlete whose name in the roster has changed. A corrected name or an added address must not start a new journal. A new
 * journal would know neither the records that were sent, nor the records that the athlete has deleted since.
 */
import { hash } from "node:crypto";
import { withoutLastSlashes } from "../../connectors/api/base-url.ts";
import { foldedName } from "../../pipelines/batch/names.ts";
import type { OptionValues } from "../arguments/options.ts";
import { findAddress } from "./athlete.ts";
import type { Athlete } from "./roster.ts";
import type { BatchStore } from "./store.ts";

/**
 * Fingerprints that two rows share if they mean one person: the log, with the owner's name or address there. They are hashes, so no outcome
 * contains an address.
 */
function fingerprintsOf({ expects }: Athlete, url: string): readonly string[] {
  return Object.entries(expects).map(([kind, name]) =>
    hash("sha256", JSON.stringify([withoutLastSlashes(url), kind, foldedName(name)])),
  );
}

/** The fingerprints to remember an athlete by. The ones without the log's address serve commands that only look at the roster. */
export async function knownBy(athlete: Athlete, shared: OptionValues): Promise<readonly string[]> {
  return [...fingerprintsOf(athlete, (await findAddress(athlete, shared)) ?? ""), ...fingerprintsOf(athlete, "")];
}

/**
 * The athletes, each with the key of their journal. An athlete without a journal under today's name continues with the journal of the same
 * person.
 *
 * @param shared options of the command line
 */
export async function followed(
  athletes: readonly Athlete[],
  shared: OptionValues,
  store: BatchStore,
): Promise<readonly Athlete[]> {
  const before = await store.outcomes();
  if (athletes.every(({ key }) => before.has(key))) return athletes;
  const taken = new Set(athletes.map(({ key }) => key));
  const now: Athlete[] = [];
  for (const athlete of athletes) {
    const fingerprints = before.has(athlete.key)
      ? []
      : fingerprintsOf(athlete, (await findAddress(athlete, shared)) ?? "");
    const [latest] = [...before]
      .filter(([key, one]) => !taken.has(key) && one.knownBy?.some((fingerprint) => fingerprints.includes(fingerprint)))
      // One without a journal counts, too: whoever was held has one, but the outcome doesn't name it.
      .toSorted(([, a], [, b]) => Number(b.journal !== undefined) - Number(a.journal !== undefined) || b.at - a.at);
    if (latest !== undefined) taken.add(latest[0]);
    now.push(latest === undefined ? athlete : { ...athlete, key: latest[0] });
  }
  return now;
}
