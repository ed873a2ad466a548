/** A table that was rejected as a whole, and then mended at its place: it is settled once it was read, and no sooner. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { zipBytes } from "../fixtures/make/zip.ts";
import { logOf, newFleet, ofType, rehearsal, team, useFleet } from "./support/fleet.ts";
import { rowOf, writeRoster } from "./support/team.ts";
import { longTest, test } from "./support/tier-tests.ts";

useFleet();

const HEADER =
  "Activity ID,Activity Date,Activity Name,Activity Type,Activity Description,Elapsed Time,Distance,Relative Effort,Commute,Activity Gear,Filename";
const rowsOf = (...days: readonly string[]) =>
  days.map((day) => `${day},"May ${day}, 2020, 4:00:10 AM",Morning,Run,,1800,5.09,,false,,`);
const table = (header: string, ...days: readonly string[]) => [header, ...rowsOf(...days), ""].join("\n");
/** One of its columns has no known name, and others are new: nobody can tell which is which. */
const UNKNOWN = `${HEADER.replace("Elapsed Time", "Lap")},New,Newer`;
const OTHER = `${UNKNOWN},Newest`;

/** Writes a folder's table, and imports the folder. */
async function imported(folder: string, text: string) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "activities.csv"), text);
  return rehearsal.run(["import", folder, "--zone", "Europe/Vienna"]);
}

async function certificate() {
  const path = join(rehearsal.folder, "certificate.json");
  const { code, out } = await rehearsal.run(["certify", path]);
  return { code, out, read: JSON.parse(readFileSync(path, "utf8")) };
}

test("a table that was rejected as a whole and mended at its place keeps the old account open until it was read", async () => {
  const folder = join(rehearsal.folder, "export");
  expect((await imported(folder, table(UNKNOWN, "4", "6"))).code).toBe(3);
  // Another table that is read settles nothing, and neither does the same one that is rejected again.
  expect((await imported(join(rehearsal.folder, "other"), table(HEADER, "8"))).code).toBe(0);
  const open = await certificate();
  expect(open.out).toContain("Not yet: 1 record that run 1 left out is still not in the log");
  const older = await rehearsal.run(["quarantine", "--run", "1"]);
  expect(older.out).toContain(`try again with: logferry import ${folder} --zone Europe/Vienna`);
  const refused = await rehearsal.run(["quarantine", "retry", "--run", "1"]);
  expect([refused.code, refused.err]).toEqual([2, expect.stringContaining(`again: logferry import ${folder}`)]);
  expect((await imported(folder, table(OTHER, "4", "6"))).code).toBe(3);
  expect((await certificate()).code).toBe(3);

  const mended = await imported(folder, table(HEADER, "4", "6", "x"));
  expect(mended.out, mended.err).toContain("2 of 3 records are in your log");
  // The table was read, and one of its rows wasn't.
  expect((await certificate()).read.verdict.obstacles).toMatchObject([{ code: "rejected", count: 1 }]);
  const settled = await rehearsal.run(["quarantine", "--run", "1"]);
  expect(settled.out).toContain("Run 1 rejected no record, except 1 that a later run read.");
  expect((await imported(folder, table(HEADER, "4", "6", "9"))).code).toBe(0);
  const closed = await certificate();
  expect(closed.out).toContain("Can the old account be closed? Yes");
});

longTest("in a fleet, too, and what the certificate advises before names the journal of the fleet", async () => {
  const [ana] = await team(66, 1);
  if (ana === undefined) throw new Error("an athlete");
  const own = { env: { LOGFERRY_FLEET: await newFleet() } };
  const put = (text: string) =>
    writeFileSync(ana.archive, zipBytes([{ name: "activities.csv", bytes: Buffer.from(text) }]));
  const roster = writeRoster(join(rehearsal.folder, "roster.csv"), [{ ...rowOf(ana), zone: "Europe/Vienna" }]);
  const results = join(rehearsal.folder, "results");
  const worker = rehearsal.start(["worker"], own);
  const carried = () => rehearsal.run(["batch", roster, "--report", results, "--certify"], own);
  put(table(UNKNOWN, "4", "6"));
  await carried();
  const [{ journal, key } = {}] = ofType(
    (await rehearsal.run(["batch", "status", roster, "--json"], own)).out,
    "athlete",
  );
  const read = (name: string) =>
    readFileSync(join(results, "athletes", String(key ?? String(journal).slice(6)), name), "utf8");
  const commands = read("certificate.json").match(/logferry (?:quarantine|import|status|retry|certify)\b[^".]*/g) ?? [];
  expect(commands).not.toEqual([]);
  for (const command of commands) expect(command).toContain(`--journal ${journal}`);
  put(table(HEADER, "4", "6"));
  const mended = await carried();
  expect(mended.out, mended.err).toContain("1 certificate was written, and 1 says yes.");
  expect(await logOf(ana)).toHaveLength(2);
  worker.child.kill("SIGTERM");
  await worker.ended;
});
