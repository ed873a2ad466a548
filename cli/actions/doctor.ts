import type { CommandContext } from "../arguments/command.ts";
import type { Finding, FindingState } from "../checks/finding.ts";
import { checkLog } from "../checks/log.ts";
import { checkMachine } from "../checks/machine.ts";
import type { ExitName } from "../errors/exit-codes.ts";

/** The signs before each check. */
const SIGILS: Readonly<Record<FindingState, string>> = { good: "✓", look: "!", bad: "✗", unknown: "?" };

/** `logferry doctor`: checks everything that a run depends on, and gives a remedy for each problem. */
export async function act(context: CommandContext): Promise<ExitName> {
  const { output } = context;
  const findings: Finding[] = [];
  for (const checks of [checkLog(context), checkMachine(context)]) {
    for await (const finding of checks) {
      findings.push(finding);
      const { check, state, found, remedy } = finding;
      output.emit("check", { check, state, found, ...(remedy !== undefined && { remedy }) });
      output.say(`${SIGILS[state]} ${check.padEnd(WIDTH)}  ${found}`);
      if (remedy !== undefined) output.say(`${" ".repeat(WIDTH + 4)}${remedy}`);
    }
  }
  const bad = findings.filter(({ state }) => state === "bad");
  const look = findings.filter(({ state }) => state === "look");
  const [first] = bad;
  if (first === undefined) {
    output.conclude(look.length === 0 ? "All is well." : `All is well; worth knowing: ${namesOf(look)}.`);
    return "done";
  }
  output.conclude(`${bad.length === 1 ? "One check" : `${bad.length} checks`} failed: ${namesOf(bad)}.`);
  return first.exit ?? "service";
}

/** The columns of the longest name of a check. */
const WIDTH = "preference".length;

function namesOf(findings: readonly Finding[]): string {
  return findings.map(({ check }) => check).join(", ");
}
