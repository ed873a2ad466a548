import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { jsonLines } from "./support/cli.ts";
import { type Rehearsal, rehearse } from "./support/rehearsal.ts";

const MAPPING = `version: 1
dates: { order: iso }
columns:
  Day: { field: date }
  Sport: { field: activity }
  Km: { field: distance, unit: km }
`;

type Json = Record<string, unknown>;

let rehearsal: Rehearsal;
let sheet: string;

beforeAll(async () => {
  rehearsal = await rehearse("kilometres", {
    faults: { armed: ["status-before-commit:POST /rest/logs/me/workouts:status=400,nth=1"], seed: 1 },
  });
  sheet = join(rehearsal.folder, "log.csv");
  writeFileSync(join(rehearsal.folder, "log.map.yaml"), MAPPING);
  writeFileSync(sheet, "Day,Sport,Km\n2019-05-01,run,5\n2019-05-02,run,5\n2019-05-32,run,5\n");
});
afterAll(() => rehearsal.close());

async function status(...words: readonly string[]): Promise<{ out: string; runs: Json[] }> {
  const ran = await rehearsal.run(["status", ...words]);
  expect(ran).toMatchObject({ code: 0, err: "" });
  const json = await rehearsal.run(["status", ...words, "--json"]);
  return { out: ran.out, runs: jsonLines(json.out).filter(({ type }) => type === "run") };
}

test("with --repository it says how the backups stand, and nothing of an import", async () => {
  const repository = join(rehearsal.folder, "repository");
  const journal = join(rehearsal.folder, "other.db");
  const run = (words: readonly string[], env = {}) => rehearsal.run(words, { journal, env });
  await run(["plan", sheet, "--quiet"]);
  await run(["backup", "--repository", repository, "--quiet"]);
  const asked = await run(["status", "--repository", repository]);
  expect(asked).toMatchObject({ code: 0, err: "" });
  expect(asked.out).toMatch(/^Last good backup: .* ago \([0-9a-f]{8}\). Last one proven to restore: none yet .*\.\n$/);
  const both = [/Last good backup/, /Run 1 is planned/];
  // When the repository is only a setting, `status` asks the usual question.
  const set = await run(["status"], { LOGFERRY_REPOSITORY: repository });
  const one = await run(["status", "--run", "1", "--repository", repository]);
  for (const pattern of both) for (const { out } of [set, one]) expect(out).toMatch(pattern);
});

test("after each step it says how the runs stand, and what to type next, until nothing is left", async () => {
  await rehearsal.run(["plan", sheet, "--quiet"]);
  const planned = await status();
  expect(planned.out).toMatch(
    /Run 1 is planned\. Next: 2 records still to do \(logferry apply\), 1 record rejected \(logferry quarantine\)\./,
  );

  await rehearsal.run(["apply", "--quiet", "--concurrency", "1"]);
  const applied = await status();
  expect(applied.out).toMatch(
    /Run 1 is finished\. Next: 1 record rejected \(logferry quarantine\), 1 record refused or not sent \(logferry retry\), not verified yet \(logferry verify --run 1\)\./,
  );
  const [one] = applied.runs;
  expect(one).toMatchObject({ run: 1, state: "finished", ledger: { created: 1, refused: 1, quarantined: 1 } });
  expect(Date.parse(String(one?.endedAt))).toBeGreaterThanOrEqual(Date.parse(String(one?.createdAt)));

  await rehearsal.run(["retry", "--quiet"]);
  const retried = await status();
  expect(retried.out).toMatch(/^Run 1, .* to .* UTC, finished: 3 read, 1 created, 0 updated, 2 to look at, 0 left$/m);
  expect(retried.out).toMatch(
    /Run 2 is finished\. Next: 1 record rejected \(logferry quarantine\), not verified yet \(logferry verify --run 2\)\./,
  );
  expect(retried.runs.map(({ run, retryOf }) => [run, retryOf])).toEqual([
    [1, undefined],
    [2, 1],
  ]);

  const rejected = jsonLines((await rehearsal.run(["quarantine", "--json"])).out);
  await rehearsal.run(["quarantine", "drop", String(rejected[0]?.id)]);
  // A record of run 1 was refused. Run 2 then brought it in.
  for (const run of ["1", "2"]) expect((await rehearsal.run(["verify", "--run", run, "--quiet"])).code).toBe(0);
  expect((await status()).out).toMatch(/Run 2 is finished\.\n$/);
});
