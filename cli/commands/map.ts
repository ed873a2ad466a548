import type { Command } from "../arguments/command.ts";
import { ARCHIVE_OPTIONS } from "../arguments/option-lists.ts";
import { READING_ENDS } from "../arguments/stop-lines.ts";

/** `logferry map`: works with mapping files, which explain the columns of spreadsheets. */
export const map: Command = {
  name: "map",
  details: [
    "A mapping file says what the columns of a spreadsheet mean. Every word of it stands in connectors/platforms/csv/README.md.",
    "`map infer FILE` proposes a mapping file for a table. It looks at the header and at whole columns: in which unit are the rows workouts that people do, in which order are the dates the days of the rows? Each choice comes with its evidence. What the table doesn't show, logferry asks on a terminal. Elsewhere it writes ASK in its place, and a plan refuses the file until you answered. It writes FILE.map.yaml and shows ten workouts as they would be loaded.",
    "`map show PLATFORM [TABLE]` prints how logferry reads a platform's table, as a mapping file to start from. What a mapping file has no word for is a comment. A platform may have several tables: name the second one with 2.",
    "`map test FILE` reads the golden rows of a mapping file: each has the cells of a row, and the values that must come out (`tests:` in the file). It prints each difference, and ends with exit code 7 if there is one.",
  ],
  positional: {
    name: "word",
    help: "infer and a table, show and the name of a platform, or test and a mapping file",
    atLeast: 1,
    areArchives: true,
  },
  options: ["out", "sheet", "set", "sport", ...ARCHIVE_OPTIONS],
  says: {
    out: {
      metavar: "FILE",
      help: "with infer: the mapping file to write (default: the name of the table with .map.yaml)",
    },
    set: { metavar: "PLACE=VALUE", help: "with infer: the answer to a question: --set columns.Distance.unit=km" },
  },
  examples: [
    { line: "logferry map infer log.csv", does: "propose what the columns of your spreadsheet mean" },
    { line: "logferry map infer log.xlsx --sheet 2014 --sheet 2015", does: "propose it for two sheets of a workbook" },
    { line: "logferry map show runkeeper", does: "how a table of Runkeeper is read" },
    { line: "logferry map show mapmyrun > log.map.yaml", does: "start your own mapping file from it" },
    { line: "logferry map test log.csv.map.yaml", does: "do its golden rows still give what they should?" },
  ],
  stopping: READING_ENDS,
  run: async (context) => (await import("../actions/map.ts")).act(context),
};
