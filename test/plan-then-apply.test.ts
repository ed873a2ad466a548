import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { jsonLines } from "./support/cli.ts";
import { type Rehearsal, ROOT, rehearse } from "./support/rehearsal.ts";

// A plan that is carried out days later. Another tool was at work in the same log meanwhile.

/** Forty workouts and two pairs of shoes (see its WHY.md). */
const SPREADSHEET = join(ROOT, "fixtures", "csv", "us", "archive");

let rehearsal: Rehearsal;
beforeAll(async () => {
  rehearsal = await rehearse("miles");
});
afterAll(() => rehearsal.close());

test("what another tool has put into the log since a plan was made is named, and not put there twice", async () => {
  const planned = await rehearsal.run(["plan", SPREADSHEET]);
  expect(planned).toMatchObject({ code: 0, err: "" });
  const other = { journal: join(rehearsal.folder, "other-tool.db") };
  const before = await rehearsal.run(["import", SPREADSHEET, "--until", "2014-06-30", "--json"], other);
  expect(before).toMatchObject({ code: 0, err: "" });
  const there = (await rehearsal.listed("/rest/logs/me/workouts")).length;
  expect(there).toBeGreaterThan(0);
  expect(there).toBeLessThan(40);

  const applied = await rehearsal.run(["apply", "--json"]);
  expect(applied).toMatchObject({ code: 3, err: "" });
  const said = jsonLines(applied.out);
  expect(said.find(({ type }) => type === "summary")).toMatchObject({
    balanced: true,
    ledger: { created: 40 - there, unchanged: 2, failed: there, logChanged: there, left: 0 },
  });
  const failed = said.filter(({ type, state }) => type === "record" && state === "failed");
  expect(failed).toHaveLength(there);
  const ids = (await rehearsal.listed("/rest/logs/me/workouts")).map(({ id }) => String(id));
  expect(ids).toHaveLength(40);
  for (const { reason } of failed) {
    expect(reason).toMatch(/^plan\/log-changed: since the plan was made, the log has .+ Plan again$/);
    expect(ids.filter((id) => String(reason).includes(id))).toHaveLength(1);
  }
  expect(await rehearsal.listed("/rest/logs/me/equipment")).toHaveLength(2);

  const again = await rehearsal.run(["import", SPREADSHEET, "--json"]);
  expect(again).toMatchObject({ code: 0, err: "" });
  expect(jsonLines(again.out).findLast(({ type }) => type === "summary")).toMatchObject({
    ledger: { created: 0, updated: 0, unchanged: 42, failed: 0 },
  });
});

test("a run that another one came after is not carried out any more, and an import that changes nothing says so once", async () => {
  const again = await rehearsal.run(["import", SPREADSHEET]);
  expect(again).toMatchObject({ code: 0 });
  expect(again.out.match(/records are accounted for/g)).toHaveLength(1);
  expect(again.out).toContain("Nothing to do.");

  const writes = (await rehearsal.listed("/rest/logs/me/workouts")).length;
  expect(await rehearsal.run(["apply", "--run", "1"])).toMatchObject({
    code: 2,
    out: "",
    err: "Run 1 is over, and run 2 came after it. See what is left with: logferry status --run 1\n",
  });
  expect(await rehearsal.listed("/rest/logs/me/workouts")).toHaveLength(writes);
});
