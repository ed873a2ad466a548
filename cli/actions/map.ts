import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { sizeInWords } from "../../connectors/containers/sizes.ts";
import { decodeText } from "../../connectors/formats/text.ts";
import { MAPPING_BYTES } from "../../connectors/platforms/csv/limits.ts";
import { runTests } from "../../connectors/platforms/csv/run-tests.ts";
import { isMappingName, isNamedFor, isTableName } from "../../connectors/platforms/table/mapping/mapping-files.ts";
import { CONNECTORS, connectorNamed } from "../../connectors/registry.ts";
import { printable } from "../../transforms/text/printable.ts";
import { shellWord } from "../../transforms/text/shell.ts";
import { didYouMean } from "../../transforms/text/suggestions.ts";
import type { CommandContext } from "../arguments/command.ts";
import { type ExitName, UsageError } from "../errors/exit-codes.ts";
import { describeSystemError } from "../errors/system-errors.ts";
import { infer } from "./map-infer.ts";

/** The actions of the command, by the word after it. */
const ACTIONS: Readonly<Record<string, (context: CommandContext, words: readonly string[]) => Promise<ExitName>>> = {
  infer,
  show,
  test,
};

/** `logferry map`: works with mapping files, which explain the columns of spreadsheets. */
export async function act(context: CommandContext): Promise<ExitName> {
  const [word = "", ...rest] = context.arguments;
  const action = Object.hasOwn(ACTIONS, word) ? ACTIONS[word] : undefined;
  if (action === undefined) {
    const known = Object.keys(ACTIONS);
    throw new UsageError(
      `Cannot use ${JSON.stringify(word)}: expected map ${known.join(", map ")}${didYouMean(word, known)}`,
    );
  }
  return action(context, rest);
}

async function show({ output }: CommandContext, [name, which = "1", ...more]: readonly string[]): Promise<ExitName> {
  const names = CONNECTORS.filter(({ mappings }) => mappings !== undefined).map((each) => each.name);
  if (name === undefined) throw new UsageError(`Cannot show a mapping: name a platform: ${names.join(", ")}`);
  const mappings = await connectorNamed(name)?.mappings?.();
  if (mappings === undefined)
    throw new UsageError(
      `Cannot show ${JSON.stringify(name)}: it is no platform with a table${didYouMean(name, names)}`,
      { more: [`Platforms with a table: ${names.join(", ")}`] },
    );
  const shown = /^[1-9]\d{0,2}$/.test(which) && more.length === 0 ? mappings[Number(which) - 1] : undefined;
  if (shown === undefined)
    throw new UsageError(`Cannot show table ${[which, ...more].join(" ")} of ${name}: it has ${mappings.length}`);
  const others = mappings.flatMap(({ called }, index) =>
    String(index + 1) === which ? [] : [`# Another table: logferry map show ${name} ${index + 1} (${called})`],
  );
  output.emit("mapping", { platform: name, table: Number(which), tables: mappings.length, text: shown.text });
  output.conclude(...shown.text.trimEnd().split("\n"), ...others);
  return "done";
}

async function test({ output }: CommandContext, [path, ...more]: readonly string[]): Promise<ExitName> {
  if (path === undefined || more.length > 0)
    throw new UsageError("Cannot test: name one mapping file, such as log.map.yaml");
  const beside = isTableName(basename(path)) ? mappingBeside(path) : undefined;
  if (beside !== undefined)
    throw new UsageError(
      `Cannot test ${printable(path)}: it is a table. Its mapping file lies beside it. Type: logferry map test ${shellWord(beside)}`,
    );
  const outcomes = await runTests(path, readMappingFile(path));
  if (outcomes.length === 0)
    throw new UsageError(
      `Cannot test ${printable(path)}: it has no tests. Each has the cells of a row, and what it gives`,
      {
        more: [
          "  tests:",
          "    - cells: { Date: 2014-03-01, km: 5 }",
          "      gives: { date: 2014-03-01, distance: 5 km }",
        ],
      },
    );
  const failed = outcomes.filter(({ differences }) => differences.length > 0);
  for (const { test: number, differences, problems, unused: keys } of outcomes) {
    output.emit("mapping-test", {
      test: number,
      passed: differences.length === 0,
      differences,
      problems,
      unused: keys,
    });
    if (differences.length === 0 && problems.length === 0) continue;
    output.say(`Test ${number}:${differences.length === 0 ? " passes" : ""}`);
    for (const { workout, value, expected, found } of differences)
      output.say(`  ${workout > 1 ? `workout ${workout}, ` : ""}${value}: expected ${expected}, found ${found}`);
    for (const problem of problems) output.say(`  the row has a problem: ${problem}`);
  }
  const unused = outcomes[0]?.unused.filter((key) => outcomes.every((each) => each.unused.includes(key))) ?? [];
  if (unused.length > 0)
    output.say(
      `No golden row fits ${unused.join(", ")}. Add one that does, or look whether ${unused.length === 1 ? "it is" : "they are"} as you mean.`,
    );
  const all = outcomes.length === 1 ? "The test passes." : `All ${outcomes.length} tests pass.`;
  output.conclude(
    failed.length === 0
      ? all
      : `${failed.length} of ${outcomes.length} tests ${failed.length === 1 ? "fails" : "fail"}.`,
  );
  return failed.length === 0 ? "done" : "differs";
}

/** The mapping file of a table, by its name. */
function mappingBeside(table: string): string | undefined {
  const folder = dirname(table);
  if (!existsSync(folder)) return undefined;
  const found = readdirSync(folder).find((name) => isMappingName(name) && isNamedFor(name, basename(table)));
  return found === undefined ? undefined : join(folder, found);
}

function readMappingFile(path: string): string {
  try {
    if (statSync(path).size > MAPPING_BYTES)
      throw new UsageError(
        `Cannot use ${printable(path)}: it holds more than ${sizeInWords(MAPPING_BYTES)}. Is it the mapping, and not a table?`,
      );
    return decodeText(readFileSync(path)).text;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`Cannot read the mapping file ${printable(path)}: ${describeSystemError(error)}`, {
      cause: error,
    });
  }
}
