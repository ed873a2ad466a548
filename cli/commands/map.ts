import { CONNECTORS, connectorNamed } from "../../connectors/registry.ts";
import { ARCHIVE_OPTIONS } from "../arguments/archive-limits.ts";
import type { Command, CommandContext } from "../arguments/command.ts";
import { type ExitName, UsageError } from "../errors/exit-codes.ts";
import { didYouMean } from "../wording/suggestions.ts";
import { infer } from "./map-infer.ts";

/** The actions of the command, by the word after it. */
const ACTIONS: Readonly<Record<string, (context: CommandContext, words: readonly string[]) => Promise<ExitName>>> = {
  infer,
  show,
};

/** `logferry map`: works with mapping files, which explain the columns of spreadsheets. */
export const map: Command = {
  name: "map",
  summary: "work with mapping files, which explain the columns of a spreadsheet",
  details: [
    "A mapping file says what the columns of a spreadsheet mean. Every word of it stands in connectors/platforms/csv/README.md.",
    "`map infer FILE` proposes a mapping file for a table. It looks at the header and at whole columns: in which unit are the rows workouts that people do, in which order are the dates the days of the rows? Each choice comes with its evidence. What the table doesn't show, logferry asks on a terminal. Elsewhere it writes ASK in its place, and a plan refuses the file until you answered. It writes FILE.map.yaml and shows ten workouts as they would be loaded.",
    "`map show PLATFORM [TABLE]` prints how logferry reads a platform's table, as a mapping file to start from. What a mapping file has no word for is a comment. A platform may have several tables: name the second one with 2.",
  ],
  positional: { name: "word", help: "infer and a table, or show and the name of a platform", atLeast: 1 },
  options: ["out", "set", "sport", ...ARCHIVE_OPTIONS],
  says: {
    out: {
      metavar: "FILE",
      help: "with infer: the mapping file to write (default: the name of the table with .map.yaml)",
    },
    set: { metavar: "PLACE=VALUE", help: "with infer: the answer to a question: --set columns.Distance.unit=km" },
  },
  examples: [
    { line: "logferry map infer log.csv", does: "propose what the columns of your spreadsheet mean" },
    { line: "logferry map show runkeeper", does: "how a table of Runkeeper is read" },
    { line: "logferry map show mapmyrun > log.map.yaml", does: "start your own mapping file from it" },
  ],
  async run(context) {
    const [word = "", ...rest] = context.arguments;
    const action = Object.hasOwn(ACTIONS, word) ? ACTIONS[word] : undefined;
    if (action === undefined) {
      const known = Object.keys(ACTIONS);
      throw new UsageError(
        `Cannot use ${JSON.stringify(word)}: expected map ${known.join(", map ")}${didYouMean(word, known)}`,
      );
    }
    return action(context, rest);
  },
};

async function show({ output }: CommandContext, [name, which = "1", ...more]: readonly string[]): Promise<ExitName> {
  const names = CONNECTORS.filter(({ mappings }) => mappings !== undefined).map((each) => each.name);
  if (name === undefined) throw new UsageError(`Cannot show a mapping: name a platform: ${names.join(", ")}`);
  const mappings = await connectorNamed(name)?.mappings?.();
  if (mappings === undefined)
    throw new UsageError(
      `Cannot show ${JSON.stringify(name)}: it is no platform with a table${didYouMean(name, names)}`,
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
