import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { memoryArchive } from "../../connectors/containers/memory.ts";
import { openArchive } from "../../connectors/containers/open.ts";
import { FatalError } from "../../connectors/errors.ts";
import { RUNKEEPER_HEADER } from "../../test/support/small-sources.ts";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { exportsIn } from "./split.ts";

const folder = temporaryFolder();
const FIXTURES = join(import.meta.dirname, "../../fixtures");

test("two platforms with a file for each workout, in folders beside each other, are one source each", async () => {
  cpSync(join(FIXTURES, "nike/a-file-each/archive"), join(folder, "downloads/nike"), { recursive: true });
  cpSync(join(FIXTURES, "golden-cheetah/library/archive"), join(folder, "downloads/rides"), { recursive: true });
  const archive = await openArchive(join(folder, "downloads"));
  const found = (await exportsIn(archive)).map(({ known, archive: own }) => [
    known instanceof FatalError ? known.message : known.connector.name,
    [...own.entries()].length,
  ]);
  expect(found.toSorted()).toEqual([
    ["golden-cheetah", [...archive.entries()].filter(({ path }) => path.startsWith("rides/")).length],
    ["nike", [...archive.entries()].filter(({ path }) => path.startsWith("nike/")).length],
  ]);
  await archive.close();
});

test("an export in a folder of another export of its platform is a source, and a recording that only the outer table names stays with that table", async () => {
  const row = (day: string, file: string) => `${day} 18:07:40,Running,,5.03,26:42,5:18,11.30,384.0,22,,,${file}\n`;
  const table = (...rows: readonly string[]) => `${RUNKEEPER_HEADER}\n${rows.join("")}`;
  const archive = memoryArchive("downloads", {
    "cardioActivities.csv": Buffer.from(table(row("2024-05-01", "old/2024.gpx"))),
    "old/cardioActivities.csv": Buffer.from(table(row("2023-05-01", "2023.gpx"))),
    "old/2023.gpx": Buffer.from("<gpx/>"),
    "old/2024.gpx": Buffer.from("<gpx/>"),
  });
  const found = (await exportsIn(archive)).map(({ within, archive: own }) => [
    within,
    Array.from(own.entries(), ({ path }) => path).filter((path) => !path.startsWith("old/2024")),
    own.entry("old/2024.gpx") !== undefined,
  ]);
  expect(found).toEqual([
    [".", ["cardioActivities.csv"], true],
    ["old", ["old/2023.gpx", "old/cardioActivities.csv"], true],
  ]);
});
