import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openCopies } from "./copies.ts";

const folder = mkdtempSync(join(tmpdir(), "copies-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const NOW = Date.UTC(2026, 10, 27);

test("a worker that starts removes the copies of one that was killed, and never those of a living one", () => {
  using living = openCopies(folder, NOW);
  mkdirSync(join(living.path, "journal-1"));
  // As a process that is killed leaves them: the system ended its lock.
  const dead = join(folder, "worker-dead");
  mkdirSync(join(dead, "journal-1"), { recursive: true });
  for (const name of ["copies.lock", "copies.holder"]) writeFileSync(join(dead, name), "");
  const [old, recent] = ["journal-old", "journal-new"].map((name) => join(folder, name)) as [string, string];
  for (const path of [old, recent]) mkdirSync(path);
  utimesSync(old, NOW / 1000 - 90_000, NOW / 1000 - 90_000);
  utimesSync(recent, NOW / 1000 - 60, NOW / 1000 - 60);
  using second = openCopies(folder, NOW);
  const left = [living.path, second.path].map((path) => path.slice(folder.length + 1));
  expect(readdirSync(folder).toSorted()).toEqual(["journal-new", ...left].toSorted());
  expect(readdirSync(living.path)).toContain("journal-1");
});
