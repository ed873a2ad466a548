import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { expectDone, expectEachOnce, openWorld, type World } from "./matrix/world.ts";
import { atWrites } from "./support/at-write.ts";
import { certified, told } from "./support/certified.ts";
import { someRuns } from "./support/small-sources.ts";
import { longTest } from "./support/tier-tests.ts";
import { firstOf } from "./support/tiers.ts";

// Somebody sets the clock an hour back while an import runs: by hand, or the network does it. A run that waits by that clock waits the hour, says
// nothing, and doesn't end at Ctrl-C. The command is a process of its own, and only its wall clock is moved.

const CLOCK_AT = join(import.meta.dirname, "support", "clock-at.ts");
const JUMPING_CLOCK = join(import.meta.dirname, "support", "jumping-clock.ts");
const AN_HOUR_BACK = -3_600_000;

/** The environment of a process whose clock is set back once a file is there. */
function settingBack(mark: string): Record<string, string> {
  return { NODE_OPTIONS: `--import=${JUMPING_CLOCK}`, JUMP_WHEN: mark, JUMP_MS: String(AN_HOUR_BACK) };
}

/** Writes the file at the given write to the log, counted from 1, and then calls `then`. */
function setBackAt(world: World, write: number, then: () => void = () => undefined): string {
  const mark = join(world.folder, "set-back");
  atWrites(world.service, {
    after: (_write, index) => {
      if (index !== write - 1) return;
      writeFileSync(mark, "");
      then();
    },
  });
  return mark;
}

test.each(
  firstOf(1, [
    ["without a pace", "0"],
    ["at a pace", "50"],
  ]),
)("a run %s goes on to its end when the clock is set back an hour in its middle", async (_how, rate) => {
  await using world = await openWorld({ runs: someRuns(20) });
  const env = settingBack(setBackAt(world, 6));
  expectDone([await world.import({ flags: ["--rate", rate], env })]);
  await expectEachOnce(world, false);
});

longTest("Ctrl-C ends a run whose clock was set back an hour, and the same command later finishes it", async () => {
  await using world = await openWorld({ runs: someRuns(40) });
  let press: () => void = () => undefined;
  const mark = setBackAt(world, 6, () => press());
  const { child, ended } = world.start(world.importWords({ flags: ["--rate", "40"] }), { env: settingBack(mark) });
  press = () => void child.kill("SIGINT");
  const stopped = await ended;
  expect(stopped.code, stopped.out + stopped.err).toBe(130);
  expectDone([await world.import({ command: "apply" })]);
  await expectEachOnce(world, false);
});

longTest("after an import by a clock a day ahead, the certificate says yes by the right clock", async () => {
  await using world = await openWorld({ runs: someRuns(2) });
  const env = { NODE_OPTIONS: `--import=${CLOCK_AT}`, CLOCK_AT: String(Date.now() + 86_400_000) };
  const imported = await world.import({ env });
  expect(imported.code, told(imported)).toBe(0);
  const { ran } = await certified(world);
  expect(ran.code, told(ran)).toBe(0);
  expect(ran.out).toContain("Can the old account be closed? Yes");
});
