/** A decision that a rehearsal obeyed is taken back on its page: the record stays on the page, and says so. */
import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { jsonOf, openWorld } from "./matrix/world.ts";
import { runHere } from "./support/here.ts";
import { folderOf, told } from "./support/promotions.ts";
import { type SheetRun, someRuns } from "./support/small-sources.ts";
import { cookieOf, linkOf } from "./support/whole-way.ts";

test("a record whose decision was taken back stays on the page, where the button leads to it", async () => {
  const [first, second, third] = someRuns(3) as [SheetRun, SheetRun, SheetRun];
  // Nobody runs five kilometres in 12 seconds.
  await using world = await openWorld({ runs: [first, { ...second, seconds: 12 }, third] });
  writeFileSync(world.sheet, readFileSync(world.sheet, "utf8").replace("2020-01-01", "2020-13-01"));
  const rehearse = ["rehearse", world.sheet, "--out", folderOf(world)];
  const rehearsed = await runHere(world, [...rehearse, "--no-pages", "--json"]);
  const journal = ["--journal", `${folderOf(world)}/journal.db`];
  const listed = await runHere(world, ["quarantine", ...journal, "--json"]);
  const ids = jsonOf(listed.out).flatMap(({ id }) => (typeof id === "string" ? [id] : []));
  expect(ids, told(rehearsed)).toHaveLength(2);
  const [unreadable = "", impossible = ""] = ids;
  for (const words of [
    ["fix", unreadable, "--set", "date=2020-02-29"],
    ["drop", impossible],
  ])
    expect((await runHere(world, ["quarantine", ...words, ...journal])).code).toBe(0);
  const { child, ended } = world.start([...rehearse, "--json"]);
  const link = await linkOf(child.stdout as NodeJS.ReadableStream);
  try {
    const { origin } = new URL(link);
    const cookie = await cookieOf(link);
    const page = async () => (await fetch(`${origin}/rehearsal`, { headers: { cookie } })).text();
    expect(await page()).toContain("2 records decided by you");
    const token = /name="_csrf" value="([^"]+)"/.exec(await page())?.[1] ?? "";
    for (const [at, id] of ids.entries()) {
      const pressed = await fetch(`${origin}/rehearsal`, {
        method: "POST",
        redirect: "manual",
        headers: { cookie, origin, "content-type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams({ _csrf: token, at: `record-${id}`, command: `quarantine take-back ${id}` }),
      });
      expect(pressed.headers.get("location")).toMatch(new RegExp(`#record-${id}$`));
      const after = await page();
      expect(after).toContain(`${at === 0 ? "1 decision" : "2 decisions"} taken back by you`);
      expect(after).toContain(`id="record-${id}"`);
      expect(after).toContain("You took your decision back.");
    }
    expect(await page()).not.toContain("decided by you");
  } finally {
    child.kill("SIGINT");
  }
  await ended;
  const again = await runHere(world, ["rehearse", "--out", folderOf(world), "--no-pages", "--json"]);
  expect(jsonOf(again.out).findLast(({ type }) => type === "summary")).toMatchObject({ ledger: { quarantined: 2 } });
});
