/** Prints the files of the sources that nobody read, though they may hold workouts. */
import type { RunSummary } from "../../pipelines/journal/summary.ts";
import { describeFiles } from "../../transforms/model/unread.ts";
import type { Output } from "../terminal/output.ts";

/** The command that names every file. */
export const NAME_ALL = "See all their names with: logferry inspect SOURCE --verbose";

/** Prints nothing if every file that may hold workouts was read. */
export function printUnread(output: Output, { unreadFiles }: RunSummary): void {
  if (unreadFiles === undefined) return;
  const who = unreadFiles.count === 1 ? "It" : "They";
  output.say("", `${describeFiles(unreadFiles)}`, `  ${who} may hold workouts. ${NAME_ALL}`);
}
