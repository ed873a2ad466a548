/** Names the intervals beside the tab-delimited log. The layout of their rows isn't known, and the XML export has them. */
import type { Issue } from "../../../transforms/model/issue.ts";
import type { Archive, Entry } from "../../containers/archive.ts";
import { CountedFiles } from "../other-files.ts";
import type { RowSource } from "../table/description.ts";
import { findBeside } from "../table/lists/beside.ts";
import { isRecord, readTable } from "../table/reading/read-table.ts";

const NAME = "runningahead";

/** The file beside `log.txt`. */
const FILE = "intervals.txt";

/** The same source, with a remark where the file of intervals beside it has rows: they are in no workout. */
export function namingIntervals(source: RowSource): RowSource {
  return {
    ...source,
    async find(archive, columns) {
      const found = await source.find(archive, columns);
      const entry = found && findBeside(archive, found.entries[0])(FILE);
      const rows = entry === undefined ? 0 : await rowsIn(archive, entry);
      if (found === undefined || entry === undefined || rows === 0) return found;
      return { ...found, remarks: [...(found.remarks ?? []), ...leftIntervals(entry.path, rows)] };
    },
  };
}

/** The number of rows below the header. */
async function rowsIn(archive: Archive, entry: Entry): Promise<number> {
  let lines = 0;
  for await (const row of readTable(archive, entry, { delimiter: "\t", quotes: false }))
    if (!isRecord(row) || row.fields.some((text) => text.trim() !== "")) lines++;
  return Math.max(0, lines - 1);
}

/** The file counts as not read, and a remark says where its intervals are to be had. */
function leftIntervals(path: string, rows: number): readonly Issue[] {
  const found = `${FILE} with ${rows} ${rows === 1 ? "row" : "rows"}, whose layout isn't known`;
  const expected =
    "the XML export of the log: it has the intervals, and all else. Import that one in the place of this one";
  const files = new CountedFiles();
  files.add(path);
  const unread = files.issue("warning", `${NAME}/other-files`, "files of a RunningAHEAD export that can be read");
  return [
    { severity: "warning", rule: "table/unread-intervals", found, expected },
    ...(unread === undefined ? [] : [unread]),
  ];
}
