/** Random rosters in which many share something: archives, workouts, watches, persons, homes, logs, tokens and names. */

import { NAMELESS } from "../../pipelines/log/log-view.ts";
import type { Suspect } from "../../pipelines/ownership/block.ts";
import type { ArchiveEvidence } from "../../pipelines/ownership/evidence.ts";
import { type Remembered, toTrace } from "../../pipelines/ownership/memory.ts";
import type { PersonEvidence } from "../../transforms/model/owner-evidence.ts";
import { randomOf } from "./random.ts";

/** A roster, and what is remembered. */
export interface RandomRoster {
  readonly suspects: readonly Suspect[];
  readonly memory: readonly Remembered[];
}

const NAMES = ["Anna Beispiel", "anna  BEISPIEL", "Ben", "Eva Huber", "A. Beispiel", "!!", "!", "Udo Mair", "Li"];
const TOWNS = [
  { lat: 48.21, lon: 16.4 },
  { lat: 48.25, lon: 16.5 },
  { lat: 47.07, lon: 15.44 },
  { lat: -16.9, lon: 179.99 },
  { lat: -16.9, lon: -179.99 },
  { lat: 89.99, lon: 10 },
  { lat: 89.99, lon: -170 },
];

/** Makes a roster. Everything is drawn from small pools, so that things meet. */
export function randomRoster(seed: number, athletes = 12, remembered = 10): RandomRoster {
  const random = randomOf(seed * 7919 + 1);
  for (let warm = 0; warm < 10; warm++) random();
  const whole = (below: number) => Math.floor(random() * below);
  const pick = <T>(list: readonly T[]) => list[whole(list.length)] as T;
  const maybe = <T extends object>(share: number, value: () => T): T | object => (random() < share ? value() : {});
  const sample = () => {
    const [first, length, step] = [whole(60), whole(25), 1 + whole(2)];
    const marks = Array.from({ length }, (_, at) => markOf(first + at * step)).sort();
    const kept = random() < 0.3 ? marks.slice(0, whole(length + 1)) : marks;
    return kept.length < marks.length ? { marks: kept, upTo: kept.at(-1) ?? "0" } : { marks };
  };
  const person = (): PersonEvidence => ({
    ...maybe(0.6, () => ({ id: `made ${whole(6)}` })),
    ...maybe(0.6, () => ({ email: pick(["a@x.org", "A@x.org ", "b@x.org", "c@x.org"]) })),
    ...maybe(0.6, () => ({ givenName: pick(["Anna", "Ben", "Eva"]), familyName: pick(["Beispiel", "Huber"]) })),
    ...maybe(0.2, () => ({ sex: pick(["female", "male"] as const) })),
  });
  const archive = (): ArchiveEvidence => ({
    ...{ name: `${whole(100)}.zip`, workouts: 20, sample: sample(), placed: 20 },
    ...maybe(0.9, () => ({ digest: `20:${whole(25)}` })),
    devices: Array.from({ length: whole(3) }, () => ({
      ...{ serial: `39255501${whole(12)}`, files: 1 + whole(4), maker: pick(["garmin", "coros"]) },
      ...maybe(0.7, () => ({ first: `20${10 + whole(5)}-01-01`, last: `20${15 + whole(5)}-01-01` })),
    })),
    persons: Array.from({ length: whole(3) }, () => ({ entry: "profile.csv", files: 1 + whole(9), details: person() })),
    ...maybe(0.3, () => ({ weight: { count: 9, median: 50 + whole(50), high: 100 } })),
    ...maybe(0.3, () => ({ maxHR: { count: 9, median: 150, high: 160 + whole(50) } })),
    areas: Array.from({ length: whole(3) }, () => {
      const { lat, lon } = pick(TOWNS);
      return { lat: Math.min(90, lat + random() / 9), lon: lon + random() / 9, workouts: 5 + whole(20) };
    }).sort((a, b) => b.workouts - a.workouts),
  });
  const evidence = () => ({ archives: Array.from({ length: whole(4) }, archive) });
  const log = () => ({ baseUrl: pick(["log.example", "log.example", "other.example"]), userHash: `${whole(14)}` });
  const member = () => maybe(0.5, () => ({ member: { key: `k${whole(8)}`, roster: pick(["north", "south"]) } }));
  return {
    suspects: Array.from(
      { length: athletes },
      (): Suspect => ({
        ...{
          athlete: pick(NAMES),
          expects: pick([{ screenName: "anna" }, { email: "A@X.org" }, { email: "b@x.org" }]),
        },
        ...member(),
        ...maybe(0.8, () => ({
          owner: pick([{}, { screenName: "anna" }, { email: "a@x.org" }, { email: "c@x.org" }]),
        })),
        ...maybe(0.9, () => ({ account: { ...log(), name: pick([NAMELESS, "anna", "ben"]) } })),
        ...maybe(0.5, () => ({ tokenHash: `${whole(6)}` })),
        ...maybe(0.95, () => ({ evidence: evidence() })),
      }),
    ),
    memory: Array.from(
      { length: remembered },
      (_, at): Remembered => ({
        ...{ athlete: pick(NAMES), ...log(), ...member(), path: `${at}` },
        trusted: Array.from({ length: whole(3) }, () => pick(["weight", "home ben", "same-workouts ben", "other-log"])),
        trace: toTrace(evidence()),
      }),
    ),
  };
}

/** Sorted as numbers and as texts in another order, as fingerprints are. */
function markOf(number: number): string {
  return ((number * 2_654_435_761) % 2 ** 32).toString(16).padStart(8, "0").padEnd(16, "7");
}
