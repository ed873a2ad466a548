import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { kebab, OPTIONS } from "../cli/arguments/options.ts";
import { loadCommands } from "../cli/commands/index.ts";
import { ADVICE, adviceFor } from "../pipelines/plan/advice/advice.ts";
import { FIX_FIELDS } from "../pipelines/plan/records/overrides.ts";

const COMMANDS = await loadCommands();

const ROOT = join(import.meta.dirname, "..");

/** The folders that read sources and decide about records. A record can be rejected only there. */
const FOLDERS = ["connectors/containers", "connectors/platforms", "connectors/formats", "transforms", "pipelines"];

/**
 * Two groups of words are left out. Some look like a rule and are none (units, ways into a platform's JSON). Others are rules about a whole run that
 * stops, or about an answer of the log.
 */
const REJECTS_NOTHING =
  /^(api|application|certificate|fleet|tags|image|journal|load|log|login|map|promotion|repository|settle|source|text\/xml|text\/html|text\/plain|undo|verify)(\/|$)|^(m\/s|km\/h|mm\/h|(backup\/no-listing|identity\/memory)|table\/(private-notes|decimal-comma)|endurain\/no-zone|trainingpeaks\/race|withings\/columns-by-kind|csv\/(bad-mapping|bad-header|no-table|no-sheet|repeated-row|which-sheet|unknown-column))$/;

/** Rooms of platforms whose files are more than tables. */
const OWN_RULES = ["csv", "device-files", "logferry-export", "table"];

/** A platform's table has ways into its rows, `weather/temperature`. Its rules begin with its name, or with that of the engine. */
function mayBeRule(rule: string, file: string): boolean {
  const room = /^connectors\/platforms\/([^/]+)\//.exec(file)?.[1];
  return room === undefined || OWN_RULES.includes(room) || rule.startsWith(`${room}/`) || rule.startsWith("table/");
}

/** Every rule that stands in the code, with a file it stands in. */
function rulesInCode(): ReadonlyMap<string, string> {
  const rules = new Map<string, string>();
  for (const folder of FOLDERS) {
    for (const name of readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })) {
      if (!name.endsWith(".ts") || name.endsWith(".test.ts") || name.endsWith("advice.ts")) continue;
      // Comments are left out: they name rules that do not exist.
      const text = readFileSync(join(ROOT, folder, name), "utf8").replaceAll(/^ *(\*|\/\/|\/\*).*$/gm, "");
      for (const [, , rule = ""] of text.matchAll(/(["`])([a-z-]+\/[a-z0-9-]+)(?=\1|[ :(])/g))
        if (mayBeRule(rule, `${folder}/${name}`)) rules.set(rule, `${folder}/${name}`);
    }
  }
  return rules;
}

describe("what to do about a record that was rejected", () => {
  const rules = [...rulesInCode()].filter(([rule]) => !REJECTS_NOTHING.test(rule));

  test("the rules in the code are found", () => {
    const names = rules.map(([rule]) => rule);
    for (const known of [
      "csv/bad-date",
      "workout/unknown-sport",
      "fit/truncated",
      "archive/crc",
      "strava/row-width",
      "plan/in-doubt",
    ])
      expect(names).toContain(known);
    expect(names.length).toBeGreaterThan(80);
  });

  test.each(rules)("%s (%s) has its line", (rule) => {
    const advice = adviceFor(rule);
    expect(advice, `a line in pipelines/plan/advice/advice.ts for ${rule}`).toBeDefined();
    expect(advice?.means).not.toBe("");
    expect(advice?.remedy).toMatch(/[.]$/);
  });

  test("no line is for a rule that isn't there", () => {
    const names = rules.map(([rule]) => rule);
    for (const { rule } of ADVICE)
      expect(
        names.some((name) => name.startsWith(rule)),
        rule,
      ).toBe(true);
  });

  test("it names commands, options and fields that there are", () => {
    const flags = Object.keys(OPTIONS).map(kebab);
    for (const { remedy, needs } of ADVICE) {
      for (const [, command] of remedy.matchAll(/logferry ([a-z]+)/g)) {
        if (/newer logferry/.test(remedy) && command === "with") continue;
        expect(COMMANDS.map(({ name }) => name)).toContain(command);
      }
      for (const [, flag] of remedy.matchAll(/--([a-z-]+)/g)) expect(flags).toContain(flag);
      if (needs !== undefined) expect(FIX_FIELDS).toContain(needs);
    }
  });
});
