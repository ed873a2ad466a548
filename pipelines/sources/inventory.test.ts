import { hash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { notingHashes } from "../../connectors/containers/read-hashes.ts";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { rowTest } from "../../test/support/tier-tests.ts";
import { firstOf } from "../../test/support/tiers.ts";
import { zipBytes } from "../../test/support/zip-bytes.ts";
import type { Journal } from "../journal/journal.ts";
import type { InventoryFile, Run } from "../journal/run.ts";
import { openJournal } from "../journal/sqlite.ts";
import { compareInventory, inventoryOf, takeInventory } from "./inventory.ts";
import { closeSources, openSources } from "./sources.ts";

// The inventory of a plan has the files as the plan read them.

const folder = temporaryFolder();
/** Too long for one chunk. */
const LONG = Array.from({ length: 400_000 }, (_, line) => line).join("\n");
const files: Readonly<Record<string, string>> = {
  "export/cardioActivities.csv": `Activity Id,Date,Type,Route Name,Distance (km),Duration,Average Pace,Average Speed (km/h),Calories Burned,Climb (m),Average Heart Rate (bpm),Friend's Tagged,Notes,GPX File\n1,2024-05-01 07:00:00,Running,,10.0,50:00,5:00,12.0,,,,,,\n`,
  "export/large.bin": LONG,
  "export/left-half-read.bin": LONG,
  "export/never-read.txt": "10",
};
const context = { open: {}, version: "1", signal: new AbortController().signal, onProgress: () => {} };

/** A planned run with this source. */
async function runOf(journal: Journal, path: string): Promise<Run> {
  const source = { path, name: "export", connector: "runkeeper", saw: "" };
  const options = { tracks: true, activityIDs: {}, workoutIDs: {}, version: "1" };
  const id = await journal.startPlan([source], options, 1);
  await journal.planReady(id, 0);
  const run = await journal.run(id);
  if (run === undefined) throw new Error("the run is gone");
  return run;
}

/** Writes the files as a folder or as a zip. @returns the path */
function write(form: "folder" | "zip", contents: Readonly<Record<string, string>>): string {
  const path = join(folder, form === "zip" ? "export.zip" : "export");
  if (form === "zip")
    writeFileSync(path, zipBytes(Object.entries(contents).map(([name, content]) => ({ name, content }))));
  else mkdirSync(path, { recursive: true });
  if (form === "folder")
    for (const [name, content] of Object.entries(contents)) writeFileSync(join(folder, name), content);
  return path;
}

rowTest.each(firstOf(1, ["folder", "zip"] as const))(
  "a file of a %s that changes after the plan read it has the plan's hash, and is named as changed",
  async (form) => {
    const path = write(form, files);
    await using journal = await openJournal(join(folder, "journal.db"));
    const run = await runOf(journal, path);
    const sources = await openSources([path], undefined);
    const { archive, hashes } = notingHashes(sources[0]?.archive ?? expect.unreachable());
    for (const entry of archive.entries()) {
      if (entry.path.endsWith("never-read.txt")) continue;
      if (entry.path.endsWith("Activities.csv")) await archive.read(entry);
      else for await (const _chunk of archive.stream(entry)) if (entry.path.includes("half")) break;
    }
    await closeSources(sources);
    write(form, Object.fromEntries(Object.entries(files).map(([name, text]) => [name, text.replace("10", "11")])));
    expect(await takeInventory(run, journal, 2, { ...context, read: [hashes] })).toBe(true);
    const taken: InventoryFile[] = [];
    for await (const file of inventoryOf(journal, run.id, 0)) taken.push(file);
    const asPlanned = ["cardioActivities.csv", "large.bin"];
    const now = ["left-half-read.bin", "never-read.txt"];
    for (const name of [...asPlanned, ...now]) {
      const content = files[`export/${name}`] ?? "";
      const expected = asPlanned.includes(name) ? content : content.replace("10", "11");
      expect(taken.find((file) => file.path.endsWith(name))).toMatchObject({
        bytes: expected.length,
        sha256: hash("sha256", expected),
      });
    }
    const { changed, added, gone } = await compareInventory(run, journal, context);
    expect(changed.map((name) => name.split("/").at(-1))).toEqual(asPlanned);
    expect([...added, ...gone]).toEqual([]);
  },
);

test("the inventory of a plan reads the sources that are open, and opens none once more", async () => {
  const path = write("folder", files);
  await using journal = await openJournal(join(folder, "open.db"));
  // Nothing is there.
  const run = await runOf(journal, join(folder, "nowhere"));
  const opened = await openSources([path], undefined);
  expect(await takeInventory(run, journal, 2, { ...context, opened })).toBe(true);
  await closeSources(opened);
  const taken: InventoryFile[] = [];
  for await (const file of inventoryOf(journal, run.id, 0)) taken.push(file);
  expect(taken.map(({ path, unread }) => [path, unread])).toEqual(
    Object.keys(files).map((name) => [name.replace("export/", ""), undefined]),
  );
});
