/** Prints the files of the sources that nobody read, though they may hold workouts. */
import type { RunSummary } from "../../pipelines/journal/summary.ts";
import { describeFiles, inspectAll, proposeTable, type Unread } from "../../transforms/model/unread.ts";
import type { Output } from "../terminal/output.ts";

/** The advice with the command that names every file. */
export function nameAll(unread: Unread): string {
  return `See all their names with: ${inspectAll(unread)}`;
}

/** Prints nothing if every file that may hold workouts was read. */
export function printUnread(output: Output, { unreadFiles }: RunSummary): void {
  if (unreadFiles === undefined) return;
  const who = unreadFiles.count === 1 ? "It" : "They";
  output.say("", `${describeFiles(unreadFiles)}`, `  ${who} may hold workouts. ${nameAll(unreadFiles)}`);
  const propose = proposeTable(unreadFiles);
  if (propose !== "") output.say(`  ${propose}`);
}
