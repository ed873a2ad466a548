/** What a verdict says about values, files and sheets that nobody read: obstacles, and what a yes names. */
import {
  describeFiles,
  describeUnconfirmed,
  describeValues,
  inspectAll,
  proposeTable,
  SHEETS_LEFT,
  sumOfUnread,
  type Unread,
} from "../../transforms/model/unread.ts";
import type { JournalReader } from "../journal/journal.ts";
import type { Run } from "../journal/run.ts";
import { type RunSummary, withoutSheets } from "../journal/summary.ts";
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

/**
 * The sheets of workbooks that a run left, and that no other run read from the same bytes. They don't look like logs of workouts, so the answer may be yes.
 * It names them, since only their owner knows what they hold. Undefined without any.
 */
export async function readSheetsLeft(journal: JournalReader, run: Run): Promise<Unread | undefined> {
  const left: (Unread | undefined)[] = [];
  for (const { example } of await journal.issues(run.id)) {
    // A journal of an earlier version has no names.
    const { rule, names = [] } = example;
    if (rule === SHEETS_LEFT) left.push(await withoutSheets(journal, run, example, { count: names.length, names }));
  }
  return sumOfUnread(left);
}
