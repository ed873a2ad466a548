/** The certificate where the sources changed, or were imported in parts: it says what it knows of them. */
import { cpSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openWorld } from "./matrix/world.ts";
import { certified, pathOf, told } from "./support/certified.ts";
import { ROOT } from "./support/rehearsal.ts";

test("a file that went away between plan and apply keeps the account open until it is planned again", async () => {
  await using world = await openWorld({ runs: [] });
  const folder = join(world.folder, "watch");
  mkdirSync(folder);
  cpSync(join(ROOT, "fixtures/device-files/fit/archive"), folder, { recursive: true });
  const planned = await world.run(["plan", folder, "--zone", "Europe/Vienna"]);
  expect(planned.code, told(planned)).toBeLessThanOrEqual(3);
  rmSync(join(folder, "Settings.fit"));
  const applied = await world.run(["apply", "--settle", "1"]);
  expect(told(applied)).toContain("Settings.fit: went away since the plan.");
  const { ran, read } = await certified(world);
  expect(read.verdict.canClose, told(ran)).toBe(false);
  expect(ran.out).toContain(`went away since the plan: Settings.fit`);
  const page = readFileSync(pathOf(world).replace(".json", ".html"), "utf8");
  expect(page).toContain("Put back what went away, or leave it out. Plan again: logferry plan ");
});
