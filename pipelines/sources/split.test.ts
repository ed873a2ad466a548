import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openArchive } from "../../connectors/containers/open.ts";
import { FatalError } from "../../connectors/errors.ts";
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
