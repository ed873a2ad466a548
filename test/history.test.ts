/** The history of imports, as its owner reads it: what each run did, what was skipped and what failed, and who is whose duplicate. */
import { copyFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { jsonOf, openWorld } from "./matrix/world.ts";
import type { Ran } from "./support/rehearsal.ts";
import { someRuns } from "./support/small-sources.ts";

const told = (ran: Ran) => ran.out + ran.err;

test("each run says what it did; skipped is told from rejected, a duplicate names its twin, and the page has it all", async () => {
  await using world = await openWorld({ runs: someRuns(4) });
  const [other, mapping] = [join(world.folder, "other.csv"), join(world.folder, "other.map.yaml")];
  const rows = readFileSync(world.sheet, "utf8");
  // The other sheet has the first run once more, and a day that isn't there.
  writeFileSync(
    other,
    `${rows.split("\n").slice(0, 2).join("\n")}\n${(rows.split("\n")[2] ?? "").replace("2020-01-02", "2020-02-31")}\n`,
  );
  copyFileSync(world.sheet.replace(/\.csv$/, ".map.yaml"), mapping);
  const flags = ["--until", "2020-01-03"];
  const first = await world.import({ sources: [world.sheet, other], flags });
  expect(first.code, told(first)).toBe(3);
  expect((await world.import()).code).toBe(0);

  const page = join(world.folder, "history.html");
  const ran = await world.run(["history", "--json", "--report", page]);
  expect(ran.code, told(ran)).toBe(0);
  const runs = jsonOf(ran.out).filter(({ type }) => type === "run");
  expect(runs).toMatchObject([
    { run: 2, what: "import", ledger: { read: 4, created: 1, unchanged: 3 } },
    { run: 1, what: "import", ledger: { read: 6, created: 3, merged: 1, skipped: 1, quarantined: 1 } },
  ]);
  const html = readFileSync(page, "utf8");
  expect(html).toMatch(/Left out by a rule <span class="muted">1</);
  expect(html).toMatch(/Rejected, for you to look at <span class="muted">1</);
  expect(html).toMatch(/other\.csv line 2.*log\.csv line 2/);
  expect(html).toContain("logferry undo 1 --dry-run");
  expect(html).not.toContain(world.token);
  const inWords = await world.run(["history"]);
  expect(inWords.out).toMatch(/Run 2, import, .* finished: 1 created, 3 unchanged\n {2}from log\.csv/);
  expect(inWords.out).toMatch(/\n2 runs\.\n/);
  expect(inWords.out).toMatch(/1 quarantined \(csv\/no-such-day\), such as: /);
});

test("a run that was undone says so, and a rejected record that a later run settled is offered no more", async () => {
  await using world = await openWorld({ runs: someRuns(3) });
  const rows = readFileSync(world.sheet, "utf8");
  writeFileSync(world.sheet, rows.replace("2020-01-02", "2020-02-31"));
  expect((await world.import()).code).toBe(3);
  writeFileSync(world.sheet, rows);
  expect((await world.import()).code).toBe(0);
  expect((await world.run(["undo", "2"])).code).toBe(0);
  const [second = "", first = ""] = (await world.run(["history"])).out.split(/^(?=Run 1,)/m);
  expect(second).toContain("You undid it: 1 record that it made is yours to take out of the log.");
  expect(first).toMatch(/1 quarantined .*settled since/);
  expect(first).not.toMatch(/rejected: logferry quarantine/);
});

test("without a journal it says so and makes none, and a page of another kind is not written over", async () => {
  await using world = await openWorld({ runs: someRuns(1) });
  const none = await world.run(["history"]);
  expect(none.code).toBe(0);
  expect(none.out).toContain("No run yet");
  expect(existsSync(join(world.folder, "journal.db"))).toBe(false);
  const mine = join(world.folder, "mine.html");
  writeFileSync(mine, "<p>mine</p>");
  expect((await world.run(["history", "--report", mine])).code).toBe(2);
  expect((await world.run(["history", "--report", "page.txt"])).code).toBe(2);
  expect(readFileSync(mine, "utf8")).toBe("<p>mine</p>");
});
