/** The obstacles of a verdict that are about values and files that nobody read. */
import {
  describeFiles,
  describeUnconfirmed,
  describeValues,
  inspectAll,
  proposeTable,
  type Unread,
} from "../../transforms/model/unread.ts";
import type { RunSummary } from "../journal/summary.ts";
import { obstacle } from "./obstacle.ts";
import type { Verdict } from "./schema.ts";

type Obstacle = Verdict["obstacles"][number];

/** A distance or a time in a form that nobody can read is in the old account alone. */
export function withUnread({ run, unreadValues }: RunSummary): readonly Obstacle[] {
  if (unreadValues === undefined) return [];
  return obstacle(unreadValues.count, {
    code: "unread-values",
    text: () => describeValues(unreadValues),
    todo: `List each with: logferry status --run ${run.id} --report loss.csv. Correct them in the source, and import it again.`,
  });
}

/** A proposal left columns because nobody knows them, or a column came later than the mapping file. Only a person can say that their values may stay out. */
export function withUnconfirmed({ unconfirmed = [] }: RunSummary): readonly Obstacle[] {
  return obstacle(
    unconfirmed.reduce((sum, { values }) => sum + values, 0),
    {
      code: "unconfirmed-columns",
      text: () => describeUnconfirmed(unconfirmed),
      todo: "Give each column its field in the mapping file. If it may stay out, write `ignore`, or take `proposed: true` out of its line. Then import once more.",
    },
  );
}

/** A file that nobody read may hold workouts, which then are in the old account alone. */
export function withoutReading(unreadFiles: Unread | undefined): readonly Obstacle[] {
  if (unreadFiles === undefined) return [];
  const propose = proposeTable(unreadFiles);
  return obstacle(unreadFiles.count, {
    code: "unread-files",
    text: () => describeFiles(unreadFiles),
    todo: `They may hold workouts. See all their names: ${inspectAll(unreadFiles)}. Import a file that holds workouts by itself. ${propose === "" ? "" : `${propose}. `}A sheet of a workbook belongs into file.sheets of its mapping file, or into file.ignoreSheets. Take the others away from the source, and import it again.`,
  });
}
