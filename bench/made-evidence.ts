/** Made-up evidence about the athletes of a large roster, and of those who are remembered. */
import { hash } from "node:crypto";
import { randomFrom } from "../fixtures/make/random.ts";
import type { Suspect } from "../pipelines/ownership/block.ts";
import type { ArchiveEvidence } from "../pipelines/ownership/evidence.ts";
import { type Remembered, toTrace } from "../pipelines/ownership/memory.ts";

/** How much is made up. */
export interface MadeSize {
  readonly athletes: number;
  readonly remembered: number;
  /** Workouts of each. */
  readonly workouts: number;
}

/** Places where people live. A federation has a few hundred clubs. */
const TOWNS = 300;

/** One athlete of so many has a quarter of another one's workouts, one the same archive, and one another one's watch. */
const MIXED_UP = 1_000;

/**
 * Athletes with an archive each, and athletes of earlier rosters. Three in a thousand of the roster have something of the athlete before them. The
 * memory is made while it is read, so it takes no room.
 *
 * @returns `suspects`; `memory`, which can be read once or again; `mixedUp`, how many athletes have something of another one
 */
export function madeEvidence(
  seed: string,
  { athletes, remembered, workouts }: MadeSize,
): { readonly suspects: readonly Suspect[]; readonly memory: Iterable<Remembered>; readonly mixedUp: number } {
  const random = randomFrom(seed);
  const towns = Array.from({ length: TOWNS }, () => ({ lat: 46 + 8 * random.next(), lon: 6 + 9 * random.next() }));
  const archive = (name: string, number: number): ArchiveEvidence => {
    const marks = Array.from({ length: workouts }, (_, day) => hash("sha256", `${name} ${day}`).slice(0, 16)).sort();
    const { lat, lon } = towns[number % TOWNS] ?? { lat: 0, lon: 0 };
    const home = { lat: lat + random.next() / 100, lon: lon + random.next() / 100, workouts };
    return {
      ...{
        name: `${name}.zip`,
        workouts,
        digest: `${workouts}:${hash("sha256", name).slice(0, 32)}`,
        sample: { marks },
      },
      devices: [{ serial: hash("sha256", `watch of ${name}`, "hex").slice(0, 12), maker: "garmin", files: workouts }],
      persons: [{ entry: "profile.csv", files: 1, details: { id: `made ${name}`, email: `${name}@example.org` } }],
      ...{ weight: { count: 20, median: 70, high: 72 }, areas: [home], placed: workouts },
    };
  };
  const suspects: Suspect[] = [];
  let mixedUp = 0;
  for (let number = 0; number < athletes; number++) {
    const name = `athlete-${number}`;
    const [before] = suspects.at(-1)?.evidence?.archives ?? [];
    const own = archive(name, number);
    const mixed = before === undefined ? own : (MIX[number % MIXED_UP]?.(own, before) ?? own);
    if (mixed !== own) mixedUp++;
    const owner = { screenName: name, email: `${name}@example.org` };
    const account = { baseUrl: "log.example", userHash: hash("sha256", name).slice(0, 16), name };
    suspects.push({ athlete: name, expects: { screenName: name }, owner, account, evidence: { archives: [mixed] } });
  }
  const memory = {
    *[Symbol.iterator]() {
      for (let number = 0; number < remembered; number++) {
        const name = `earlier-${number}`;
        const trace = toTrace({ archives: [archive(name, number)] });
        const userHash = hash("sha256", name).slice(0, 16);
        yield { athlete: name, baseUrl: "log.example", userHash, trusted: [], path: name, trace };
      }
    },
  };
  return { suspects, memory, mixedUp };
}

/** What an athlete has of the one before. */
const MIX: readonly ((own: ArchiveEvidence, before: ArchiveEvidence) => ArchiveEvidence)[] = [
  (own, { sample, digest = "" }) => ({ ...own, sample, digest }),
  (own, { devices }) => ({ ...own, devices }),
  (own, { sample: { marks } }) => {
    const quarter = Math.ceil(marks.length / 4);
    return { ...own, sample: { marks: [...own.sample.marks.slice(quarter), ...marks.slice(0, quarter)].sort() } };
  },
];
