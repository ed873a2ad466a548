/** `npm run model -- --faults 4`: explores every scenario with more faults than the tests do, and prints the results. */
import { parseArgs } from "node:util";
import { explore } from "./explore.ts";
import { SCENARIOS } from "./scenarios.ts";

const { values } = parseArgs({
  options: { faults: { type: "string", default: "3" }, only: { type: "string", default: "" } },
});
let wrong = 0;
for (const scenario of SCENARIOS.filter(({ name }) => name.includes(values.only))) {
  const start = performance.now();
  const { schedules, inDoubt, lives, states, violations } = await explore(scenario, { faults: Number(values.faults) });
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(
    `${scenario.name}: ${schedules} schedules (${inDoubt} end in doubt), ${violations.length} wrong; ${lives} lives from ${states} states, ${seconds} s`,
  );
  for (const { what, lives: path } of violations.slice(0, 3)) console.log(`  ${what}\n    ${path.join("\n    ")}`);
  wrong += violations.length;
}
process.exitCode = wrong === 0 ? 0 : 1;
