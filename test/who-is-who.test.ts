/** A coach imports one athlete after the other. Each run may go only into its own runner's log. */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { zipBytes } from "../fixtures/make/zip.ts";
import { type Ran, type Rehearsal, rehearse } from "./support/rehearsal.ts";
import { addMember, type Member, madeRun } from "./support/team.ts";

let rehearsal: Rehearsal;
let ana: Member;
let ben: Member;
beforeAll(async () => {
  rehearsal = await rehearse();
  const folder = join(rehearsal.folder, "team");
  ana = await addMember(rehearsal.service, folder, 1);
  ben = await addMember(rehearsal.service, folder, 2);
});
afterAll(() => rehearsal.close());

/** Days of the workouts in a log, read by plain HTTP. */
async function daysOf({ token }: Member): Promise<readonly string[]> {
  const answer = await fetch(`${rehearsal.service.url}/rest/logs/me/workouts?limit=100&access_token=${token}`);
  const { data } = (await answer.json()) as { data: { entries: { date: string }[] } };
  return data.entries.map(({ date }) => date).toSorted();
}

/** Runs a command with the token and the journal of one. */
function asCoach({ token, screenName }: Member, words: readonly string[]): Promise<Ran> {
  return rehearsal.run(words, {
    env: { LOGFERRY_TOKEN: token },
    journal: join(rehearsal.folder, `${screenName}.db`),
  });
}

/** A zip of runs of a member's watch, numbered as `madeRun` numbers them. */
function archiveOf(name: string, number: number, indexes: readonly number[]): { path: string; days: string[] } {
  const runs = indexes.map((index) => madeRun(number, index));
  const path = join(rehearsal.folder, name);
  writeFileSync(path, zipBytes(runs.map(({ bytes }, index) => ({ name: `Kopie (${index}).fit`, bytes }))));
  return { path, days: runs.map(({ date }) => date) };
}

const identityFolder = () => join(rehearsal.folder, ".local", "share", "logferry", "identity");

test("an import is held to its athlete: another's log, archive or watch stops it before anything is written, next month too", async () => {
  const own = await asCoach(ana, ["import", ana.archive, "--athlete", " RUNNER_1"]);
  expect(own.code, own.err).toBe(0);
  const anas = ana.runs.map(({ date }) => date);
  expect(await daysOf(ana)).toEqual(anas);

  const wrongToken = await asCoach(ben, ["import", ana.archive, "--athlete", "runner1@example.org"]);
  expect(wrongToken.code).toBe(4);
  expect(wrongToken.err).toBe(
    'Cannot import for runner1@example.org: the token opens the log of "runner_2" <runner2@example.org>, and the e-mail address should be "runner1@example.org". Log in as the athlete, perhaps with --profile NAME: nothing was changed\n',
  );

  // The same files in a folder, under other names.
  const unpacked = join(rehearsal.folder, "holiday");
  mkdirSync(unpacked);
  for (const index of [0, 1]) writeFileSync(join(unpacked, `${index}.fit`), madeRun(1, index).bytes);
  const words = ["import", unpacked, "--athlete", "runner_2", "--trust", "runner_2"];
  const twice = await asCoach(ben, words);
  expect(twice.code).toBe(2);
  expect(twice.err).toContain(
    '  holiday holds the same 2 workouts as an archive that was given to "RUNNER_1" (same-archive)\nGive each athlete their own archive\n',
  );
  expect(await daysOf(ben)).toEqual([]);

  const next = archiveOf("april.zip", 1, [5, 6, 7]);
  const held = await asCoach(ben, ["plan", next.path, "--athlete", "runner_2"]);
  expect(held.code).toBe(2);
  expect(held.err).toMatch(
    /^Held runner_2, nothing was changed:\n {2}april\.zip holds 3 files from 2024-04-08 to 2024-04-22 of the device garmin 2431 with the serial 3000000001, which recorded 2 files from 2024-03-04 to 2024-03-11 of "RUNNER_1"; .*\(shared-device\)\nIf all is well with it: --trust runner_2\n$/,
  );
  // `apply` can't load the held files either.
  const applied = await asCoach(ben, ["apply"]);
  expect(applied.err).toBe("There is no plan to apply. Make one: logferry plan SOURCE\n");
  expect(await daysOf(ben)).toEqual([]);

  const trusted = await asCoach(ben, ["import", next.path, "--athlete", "runner_2", "--trust", "Runner_2"]);
  expect(trusted.code, trusted.err).toBe(0);
  expect(await daysOf(ben)).toEqual(next.days);
  // `--trust` was for one import. With `--remember` the coach says that she bought the watch.
  const later = archiveOf("may.zip", 1, [8, 9]);
  const asked = await asCoach(ben, ["import", later.path, "--athlete", "runner_2"]);
  expect(asked).toMatchObject({ code: 2, err: expect.stringContaining("(shared-device)") });
  const kept = await asCoach(ben, ["import", later.path, "--athlete", "runner_2", "--trust", "runner_2", "--remember"]);
  expect(kept.code, kept.err).toBe(0);
  const last = archiveOf("june.zip", 1, [12, 13]);
  const again = await asCoach(ben, ["import", last.path, "--athlete", "runner_2"]);
  expect(again.code, again.err).toBe(0);
  expect(await daysOf(ben)).toEqual([...next.days, ...later.days, ...last.days]);
  expect(await daysOf(ana)).toEqual(anas);
});

test("what is remembered is the coach's alone to read, and names no address, serial or token", () => {
  const files = readdirSync(identityFolder());
  expect(files).toHaveLength(2);
  expect(statSync(identityFolder()).mode & 0o777).toBe(0o700);
  for (const file of files) {
    const path = join(identityFolder(), file);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const text = readFileSync(path, "utf8");
    for (const secret of ["@", "300000000", ana.token, ben.token]) expect(text).not.toContain(secret);
  }
});

test("--trust and --remember alone are refused: nobody is named whom they are for", async () => {
  for (const [words, says] of [
    [["--trust", "ana"], "say whose log it must be, with --athlete"],
    [["--athlete", "runner_1", "--remember"], "there is nothing to keep without --trust"],
  ] as const) {
    const ran = await asCoach(ana, ["plan", ana.archive, ...words]);
    expect(ran).toMatchObject({ code: 2, err: expect.stringContaining(says) });
  }
});

test("what can't be read of what is remembered stops an import before anything is written, and is named", async () => {
  const path = join(identityFolder(), `${"f".repeat(32)}.json`);
  writeFileSync(path, "{}");
  const ran = await asCoach(ana, ["import", archiveOf("july.zip", 1, [16]).path, "--athlete", "runner_1"]);
  expect(ran.code).toBe(2);
  expect(ran.err).toContain(`Cannot use ${path}: it is not what is remembered of an athlete`);
  expect(await daysOf(ana)).toEqual(ana.runs.map(({ date }) => date));
});
