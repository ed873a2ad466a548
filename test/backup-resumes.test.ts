import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generateX25519Identity } from "age-encryption";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { jsonLines } from "./support/cli.ts";
import { deleteWorkout } from "./support/delete-workout.ts";
import { type Ran, type Rehearsal, rehearse } from "./support/rehearsal.ts";
import { type RequestLog, requestLog } from "./support/request-log.ts";
import { longTest } from "./support/tier-tests.ts";
import { inputs } from "./support/tiers.ts";

// A backup that reads everything is killed by SIGKILL in the middle. The next one goes on from there. What it takes over matches the present listing.

const PRELOAD = join(import.meta.dirname, "support", "kill-at-write.ts");
const LOG = "/rest/logs/me";
const YEARS = [2019, 2020, 2021, 2022, 2023];

let log: Rehearsal;
let asked: RequestLog;
let keys: string[];
/** Ids of the workouts of a year, the first day first. */
let ids: Map<number, string[]>;

beforeEach(async () => {
  asked = requestLog();
  log = await rehearse("kilometres", { log: asked });
  keys = [];
  ids = new Map();
  for (const year of YEARS) {
    const ofYear: string[] = [];
    for (let day = 1; day <= 4; day++)
      ofYear.push(await save({ activityID: 10, date: `${year}-05-0${day}`, notes: "as it was" }));
    ids.set(year, ofYear);
  }
});
afterEach(() => log.close());

async function save(body: object, id?: string): Promise<string> {
  const path = `${log.service.url}${LOG}/workouts${id === undefined ? "" : `/${id}`}?access_token=${log.token}`;
  const answer = await fetch(path, {
    method: id === undefined ? "POST" : "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const { data } = (await answer.json()) as { data: { id: string } };
  return data.id;
}

const repository = () => join(log.folder, "repository");
const words = (...more: string[]) => ["backup", "--repository", repository(), ...keys, ...more];

/** Workouts that were read in full since then, as often as each was read. */
const readSince = (from: number) =>
  asked.all
    .slice(from)
    .filter(({ method, path }) => method === "GET" && path.startsWith(`${LOG}/workouts/`))
    .map(({ path }) => path.slice(`${LOG}/workouts/`.length))
    .toSorted();

/** Kills a backup right after it noted so many years. */
async function killedAfter(years: number, ...more: string[]): Promise<void> {
  const env = { NODE_OPTIONS: `--import=${PRELOAD}`, KILL_AT: `after:${years}:rename unfinished/` };
  expect(await log.run(words(...more), { env })).toMatchObject({ signal: "SIGKILL" });
}

async function backup(...more: string[]): Promise<Record<string, unknown>> {
  const ran: Ran = await log.run([...words(...more), "--json"]);
  expect(ran.code, ran.err).toBe(0);
  return jsonLines(ran.out).find(({ type }) => type === "snapshot") ?? {};
}

/** @param leftOver files of the killed backup that no snapshot names, since their content has changed by now */
async function expectSound(workouts: number, leftOver = 0): Promise<void> {
  const ran = await log.run(["check", "--repository", repository(), ...keys, "--drill", "--json"]);
  expect(ran.code, ran.err).toBe(0);
  // The user and the preference besides.
  const [found] = jsonLines(ran.out).filter(({ type }) => type === "repository");
  expect(found).toMatchObject({ damaged: 0, records: workouts + 2 });
  expect(found?.unused).toHaveLength(leftOver);
  expect(readdirSync(join(repository(), "unfinished"))).toEqual([]);
}

describe.each(["encrypted", "plain"].slice(0, inputs({ first: 1, long: 2 })))(
  "into a repository that is %s",
  (kind) => {
    test("a first backup that was killed goes on: of the years that were read nothing is read again", async () => {
      if (kind === "encrypted") {
        const path = join(log.folder, "identity.txt");
        writeFileSync(path, `${await generateX25519Identity()}\n`, { mode: 0o600 });
        keys = ["--identity", path, "--encrypt"];
      }
      await killedAfter(3);
      const before = asked.all.length;
      expect(await backup()).toMatchObject({ pass: "changes", readInFull: 8, resumed: { records: 12 } });
      expect(readSince(before)).toEqual([...(ids.get(2022) ?? []), ...(ids.get(2023) ?? [])].toSorted());
      keys = keys.slice(0, 2);
      await expectSound(20);
    });
  },
);

longTest("killed again and again, each one goes on where the one before came to", async () => {
  await killedAfter(2);
  // The second backup is killed when it has noted the first year again. The note of the second year survives that.
  await killedAfter(1);
  expect(await backup()).toMatchObject({ readInFull: 12, resumed: { records: 8 } });
  await expectSound(20);
});

longTest("what is listed otherwise, new or gone since is read as it is now", async () => {
  await killedAfter(3);
  const [edited = "", ...others] = ids.get(2019) ?? [];
  await save({ activityID: 10, date: "2019-05-01", notes: "edited since" }, edited);
  const added = await save({ activityID: 10, date: "2020-06-01" });
  deleteWorkout(join(log.folder, "service.db"), ids.get(2021)?.[0] ?? "");
  const before = asked.all.length;
  expect(await backup()).toMatchObject({ readInFull: 10, resumed: { records: 10 } });
  const read = readSince(before);
  expect(read).toEqual(expect.arrayContaining([edited, added]));
  expect(read.filter((id) => others.includes(id))).toEqual([]);
  await expectSound(20, 3);
  expect(await log.run(["forget", "--repository", repository(), "--keep-last", "1"])).toMatchObject({ code: 0 });
  await expectSound(20);
});

longTest(
  "an edit that no listing shows is found by the next full pass, which counts from the day the killed one began",
  async () => {
    await killedAfter(3);
    const [edited = ""] = ids.get(2019) ?? [];
    await save({ activityID: 10, date: "2019-05-01", notes: "as it was", ratings: { effort: 9 } }, edited);
    const { resumed } = (await backup()) as { resumed: { since: string } };
    const [name = ""] = readdirSync(join(repository(), "snapshots"));
    const { fullAt, time } = JSON.parse(readFileSync(join(repository(), "snapshots", name), "utf8"));
    expect(fullAt).toBe(resumed.since);
    expect(Date.parse(fullAt)).toBeLessThan(Date.parse(time));
    const before = asked.all.length;
    expect(await backup("--full-every", "0")).toMatchObject({ pass: "full", readInFull: 20 });
    expect(readSince(before)).toContain(edited);
    // The year that was edited is in the repository twice, once for each of the two snapshots.
    await expectSound(24);
  },
);

longTest("--full begins again, and what was read for it before is forgotten", async () => {
  await killedAfter(3);
  expect(await backup("--full")).toMatchObject({ pass: "full", readInFull: 20 });
  await expectSound(20);
  expect(await backup()).toMatchObject({ pass: "changes", readInFull: 0 });
});
