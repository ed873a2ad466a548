import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generateX25519Identity } from "age-encryption";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { jsonLines } from "./support/cli.ts";
import { runHere } from "./support/here.ts";
import { fillLog } from "./support/logged.ts";
import { SEED } from "./support/random.ts";
import { type Ran, type Rehearsal, rehearse } from "./support/rehearsal.ts";

// A backup and a forget are killed at their changes to the repository: before, after and in the middle of each. This must leave a whole repository,
// with the snapshots of before or with one more. The same command must then come to its end. The suite takes every twentieth moment, of a repository
// that is encrypted or not, and begins at another one each time. `npm run kills` takes them all, of both.

const TAKES_ALL = process.env.LOGFERRY_TEST_KILLS === "all";
const STEP = TAKES_ALL ? 1 : 20;
/** The suite takes one of the two, depending on the seed. */
const KINDS = TAKES_ALL ? ["plain", "encrypted"] : [SEED % 2 === 0 ? "plain" : "encrypted"];
const PRELOAD = join(import.meta.dirname, "support", "kill-at-write.ts");

let log: Rehearsal;
let round = 0;
/** Flags that open the repository, and flags that create it. */
let keys: readonly string[] = [];
let making: readonly string[] = [];

beforeAll(async () => {
  log = await rehearse();
  await fillLog(log);
});
afterAll(() => log.close());

/** A path of its own for each: the preload looks for the last name. */
const newRepository = () => join(log.folder, `round-${++round}`, "repository");

function killed(repository: string, words: readonly string[], spec: string, killLog?: string): Promise<Ran> {
  const env = {
    NODE_OPTIONS: `--import=${PRELOAD}`,
    KILL_AT: spec,
    ...(killLog !== undefined && { KILL_LOG: killLog }),
  };
  return log.run([...words, "--repository", repository, ...keys], { env });
}

const backup = () => ["backup", ...making];

const here = (repository: string, ...words: string[]) => runHere(log, [...words, "--repository", repository, ...keys]);

/** The changes that a command makes, one a line. */
async function changesOf(prepared: string, words: readonly string[]): Promise<readonly string[]> {
  const killLog = join(log.folder, `changes-${++round}`);
  expect(await killed(prepared, words, "", killLog)).toMatchObject({ code: 0 });
  return readFileSync(killLog, "utf8").slice(0, -1).split("\n");
}

/** Where to kill: before every change, after it, and in the middle of a write. Every `STEP`th of these moments is taken. */
function momentsOf(changes: readonly string[]): readonly string[] {
  const all = changes.flatMap((change, index) => {
    const moments = change.startsWith("write ") ? ["before", "half", "after"] : ["before", "after"];
    return moments.map((moment) => `${moment}:${index + 1}`);
  });
  // A short command is killed at two moments at least.
  const step = Math.min(STEP, Math.floor(all.length / 2));
  return all.filter((_, index) => index % step === SEED % step);
}

async function snapshotsIn(repository: string): Promise<number> {
  const ran = await here(repository, "snapshots", "--json");
  expect(ran.code).toBe(0);
  return jsonLines(ran.out).filter(({ type }) => type === "snapshot").length;
}

/** A repository that was killed while it was made may not be one yet, or may hold no snapshot yet. It must not be damaged. */
async function expectWhole(repository: string): Promise<void> {
  const ran = await here(repository, "check", "--json");
  if (ran.code === 2) expect(`${ran.out}${ran.err}`).toContain("There is no snapshot repository");
  else {
    const [found] = jsonLines(ran.out).filter(({ type }) => type === "repository");
    expect(found).toMatchObject({ damaged: 0 });
    expect(ran.code).toBe(found?.snapshots === 0 ? 7 : 0);
  }
}

describe.each(KINDS)(`a repository that is %s (LOGFERRY_TEST_SEED=${SEED})`, (kind) => {
  beforeAll(async () => {
    if (kind === "plain") return;
    const path = join(log.folder, "identity.txt");
    writeFileSync(path, `${await generateX25519Identity()}\n`, { mode: 0o600 });
    keys = ["--identity", path];
    making = ["--encrypt"];
  });

  test("every file is on the disk before it has its name, its name before the snapshot is written, the snapshot's name comes last, and then the list that has it", async () => {
    const changes = await changesOf(newRepository(), backup());
    for (const [index, change] of changes.entries()) {
      if (!change.startsWith("rename ")) continue;
      expect(changes.slice(index - 3, index).map((one) => one.split(" ")[0])).toEqual(["open", "write", "sync"]);
      expect(changes[index + 1]).toBe(`sync ${change.slice("rename ".length).replace(/\/[^/]*$|^[^/]*$/, "")}`);
    }
    const renamed = changes.filter((change) => change.startsWith("rename "));
    expect(renamed.filter((change) => change.includes(" snapshots/"))).toEqual([renamed.at(-2)]);
    expect(renamed.at(-1)).toBe("rename snapshots.sha256");
    expect(renamed.length).toBeGreaterThan(10);
  });

  test("a backup killed anywhere leaves a whole repository, and the next one finishes", async () => {
    const moments = momentsOf(await changesOf(newRepository(), backup()));
    expect(moments.length).toBeGreaterThan(5);
    for (const moment of moments) {
      const repository = newRepository();
      expect(await killed(repository, backup(), moment), moment).toMatchObject({ signal: "SIGKILL" });
      await expectWhole(repository);
      expect(await here(repository, ...backup()), moment).toMatchObject({ code: 0 });
      const ran = await here(repository, "check", "--json");
      expect(ran.code, moment).toBe(0);
      // The user, the preference, four pieces of equipment, three courses, a training plan, and the workouts of `fillLog`.
      const [found] = jsonLines(ran.out).filter(({ type }) => type === "repository");
      expect(found, moment).toMatchObject({ records: 50, unused: [] });
    }
  });

  test("a forget killed anywhere leaves a whole repository with the snapshot that is kept, and the next one finishes", async () => {
    const prepared = async () => {
      const repository = newRepository();
      for (let night = 0; night < 3; night++) {
        await log.service.operator.addTrainingPlan(log.userId, { name: `Plan ${++round}` });
        expect(await here(repository, ...backup())).toMatchObject({ code: 0 });
      }
      return repository;
    };
    const words = ["forget", "--keep-last", "1"];
    const moments = momentsOf(await changesOf(await prepared(), words));
    expect(moments.length).toBeGreaterThan(0);
    for (const moment of moments) {
      const repository = await prepared();
      expect(await killed(repository, words, moment), moment).toMatchObject({ signal: "SIGKILL" });
      await expectWhole(repository);
      expect(await snapshotsIn(repository), moment).toBeGreaterThanOrEqual(1);
      expect(await here(repository, ...words), moment).toMatchObject({ code: 0 });
      expect(await snapshotsIn(repository), moment).toBe(1);
      const ran = await here(repository, "check", "--json");
      expect(jsonLines(ran.out).at(-1), moment).toMatchObject({ damaged: 0, unused: [] });
    }
  });

  test("a drill killed where it writes its note leaves a whole repository and no half of a proof, and the next one finishes", async () => {
    const repository = newRepository();
    expect(await here(repository, ...backup())).toMatchObject({ code: 0 });
    // The first makes the folder of the notes too.
    expect(await here(repository, "check", "--drill")).toMatchObject({ code: 0 });
    const notes = () => readdirSync(join(repository, "drills")).length;
    const all = await changesOf(repository, ["check", "--drill"]);
    expect(notes()).toBe(2);
    const moments = momentsOf(all);
    // There are few: one is taken in any case.
    for (const moment of moments.length > 0 ? moments : [`before:${1 + (SEED % all.length)}`]) {
      const before = notes();
      expect(await killed(repository, ["check", "--drill"], moment), moment).toMatchObject({ signal: "SIGKILL" });
      await expectWhole(repository);
      expect(notes() - before, moment).toBeLessThanOrEqual(1);
      const left = notes();
      expect(await here(repository, "check", "--drill"), moment).toMatchObject({ code: 0 });
      expect(notes(), moment).toBe(left + 1);
    }
  });
});
