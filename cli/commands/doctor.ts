import type { Command } from "../arguments/command.ts";
import type { Finding, FindingState } from "../checks/finding.ts";
import { checkLog } from "../checks/log.ts";
import { checkMachine } from "../checks/machine.ts";

/** The signs before each check. */
const SIGILS: Readonly<Record<FindingState, string>> = { good: "✓", look: "!", bad: "✗", unknown: "?" };

/** `logferry doctor`: checks everything that a run depends on, and gives a remedy for each problem. */
export const doctor: Command = {
  name: "doctor",
  details: [
    "Prints a line for each check: ✓ is fine, ! works but is worth knowing, ✗ must be fixed, ? could not be checked. Below each problem stands what to do. It changes nothing, here or in the log, and shows no token.",
    "The exit code is that of the first failed check. It is 4 for a bad token, 6 when the service can't be reached, 2 for a wrong setting, and 75 for a full disk. It is 0 when no check failed.",
  ],
  options: ["url", "tokenFile", "tokenCommand", "journal"],
  examples: [
    { line: "logferry doctor", does: "is everything ready?" },
    { line: "logferry doctor --profile ana --json", does: "the same for ana's log, for a script" },
  ],
  async run(context) {
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
  },
};

/** The columns of the longest name of a check. */
const WIDTH = "preference".length;

function namesOf(findings: readonly Finding[]): string {
  return findings.map(({ check }) => check).join(", ");
}
