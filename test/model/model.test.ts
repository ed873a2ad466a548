import { describe, expect, test } from "vitest";
import { explore } from "./explore.ts";
import { DONE_IS_LOST, MUTANTS, OF_FLEET } from "./mutants.ts";
import { SCENARIOS, type Scenario } from "./scenarios.ts";

// The loader itself, with its planner, its client and its journal, in every schedule of so many faults. For more faults: `npm run model -- --faults
// 4`.

const ASKED = process.env.LOGFERRY_MODEL_FAULTS;
const FAULTS = Number(ASKED ?? 2);

describe(`in every schedule of ${FAULTS} faults`, () => {
  test.each(SCENARIOS)(
    "$name: nothing is lost, nothing doubled, and only what can't be looked up stays in doubt",
    async (scenario) => {
      const faults = scenario.isAlikeToOthers && ASKED === undefined ? 1 : FAULTS;
      const { violations, schedules, inDoubt } = await explore(scenario, { faults });
      expect(violations.slice(0, 3)).toEqual([]);
      // The faults led to many different schedules.
      expect(schedules).toBeGreaterThan(20);
      expect(inDoubt > 0).toBe(!scenario.lists);
    },
  );
});

function scenarioOf(name: string): Scenario {
  const scenario = SCENARIOS.find((one) => one.name === name);
  if (scenario === undefined) throw new RangeError(`there is no scenario ${name}`);
  return scenario;
}

// One fault is enough here: the loader is the same, and what a worker leaves behind is one of the moments that a process leaves.
describe("with the journal of a fleet, where each life is that of another worker", () => {
  test.each(SCENARIOS)("$name: nothing is lost, nothing doubled", async (scenario) => {
    const { violations, schedules } = await explore(scenario, { faults: 1, isOfFleet: true });
    expect(violations.slice(0, 3)).toEqual([]);
    expect(schedules).toBeGreaterThan(5);
  });

  test(`a worker without this protection is caught: ${OF_FLEET.name}`, async () => {
    const { mutant, scenario, faults, finds } = OF_FLEET;
    const { violations } = await explore(scenarioOf(scenario), { faults, mutant, enough: 10, isOfFleet: true });
    expect(violations.map(({ what }) => what).filter((what) => finds.test(what))).not.toEqual([]);
  });
});

describe("a loader without one of its protections is caught where", () => {
  test.each(MUTANTS)("$name", async ({ mutant, scenario, faults, finds }) => {
    const { violations } = await explore(scenarioOf(scenario), { faults, mutant, enough: 10 });
    expect(violations.map(({ what }) => what).filter((what) => finds.test(what))).not.toEqual([]);
  });
});

test.each(["a single workout", "a device file with one workout"])(
  "that a record is done need not be durable at once: what a dead process forgot is found out again (%s)",
  async (name) => {
    const { violations } = await explore(scenarioOf(name), { faults: FAULTS, mutant: DONE_IS_LOST });
    expect(violations.slice(0, 3)).toEqual([]);
  },
);
