/** Reads the lines of a text with sections, such as `[Params]`. Polar's programs for Windows write such texts. */
import type { Issue } from "../../../transforms/model/issue.ts";
import { decodeStream } from "../text.ts";

/** A line and its section. Before the first section the name is empty. */
export interface SectionLine {
  readonly section: string;
  readonly line: string;
}

/** The name of a section stands alone in its line. A note may have a bracket in it. */
const SECTION = /^\[([A-Za-z0-9-]{1,40})\]$/;

/** Characters of a line that are read. Notes are the longest lines. */
const LONGEST_LINE = 10_000;

/** Most of these texts are Windows-1252, so this issue is not reported. */
const USUAL = "text/not-utf-8";

/** Gives the lines of a text, one at a time. They end as on Windows, Unix or an old Mac. */
export async function* sectionLines(
  chunks: AsyncIterable<Uint8Array>,
  report: (issue: Issue) => void,
): AsyncGenerator<SectionLine> {
  let section = "";
  let waiting = "";
  let endsInReturn = false;
  const lineOf = (line: string): SectionLine | undefined => {
    const name = SECTION.exec(line.trimEnd())?.[1];
    if (name === undefined) return { section, line: line.slice(0, LONGEST_LINE) };
    section = name;
    return undefined;
  };
  for await (const text of decodeStream(chunks, (issue) => issue.rule !== USUAL && report(issue))) {
    // The cut between two chunks may fall inside a line end of Windows.
    const more = endsInReturn && text.startsWith("\n") ? text.slice(1) : text;
    if (text !== "") endsInReturn = text.endsWith("\r");
    const lines = more.split(/\r\n|\r|\n/);
    lines[0] = (waiting + (lines[0] ?? "")).slice(0, LONGEST_LINE);
    waiting = lines.pop() ?? "";
    for (const each of lines) {
      const line = lineOf(each);
      if (line !== undefined) yield line;
    }
  }
  const last = waiting === "" ? undefined : lineOf(waiting);
  if (last !== undefined) yield last;
}
