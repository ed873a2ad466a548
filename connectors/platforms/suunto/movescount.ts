/** Reads the XML of Movescount. A move has a head, samples and a device one after another, without an element around them. */
import type { Issue } from "../../../transforms/model/issue.ts";
import type { Archive, Entry } from "../../containers/archive.ts";
import { decodeStream } from "../../formats/text.ts";
import { XmlError, xmlEach } from "../../formats/xml/each.ts";
import type { RecordFound, RowSource } from "../table/description.ts";
import { recordSource } from "../table/sources/record-source.ts";
import { samplesSum, withSamples } from "./samples.ts";

const DECLARATION = /^\s*<\?xml[^>]{0,200}>/;

/** Whether a file begins with the head of a move. The head has the time of the start, and samples follow it. */
function isMove(head: string): boolean {
  const text = head.replace(DECLARATION, "").trimStart();
  const end = text.indexOf("</header>");
  return (
    text.startsWith("<header>") &&
    text.slice(0, end).includes("<DateTime>") &&
    /^<\/header>\s*<Samples\b/.test(text.slice(end))
  );
}

/** Finds the files of moves. */
export function movescount(): RowSource {
  return recordSource({
    files: /\.xml$/i,
    knownBy: ["header"],
    oneEach: true,
    eachIsKnown: true,
    isKnown: isMove,
    records: moveOf,
    issueOf: (error) => (error instanceof XmlError ? error.issue : undefined),
  });
}

async function* moveOf(archive: Archive, entry: Entry, remark: (issue: Issue) => void): AsyncGenerator<RecordFound> {
  const place = { path: ["move"], skips: ["IBI"], sums: { Samples: samplesSum } };
  for await (const { record, issue } of xmlEach(withRoot(archive.stream(entry), remark), place, remark))
    yield { value: record && withSamples(record, "header"), place: "record 1", ...(issue !== undefined && { issue }) };
}

/** Gives the same file with an element around everything after its declaration. */
async function* withRoot(
  chunks: AsyncIterable<Uint8Array>,
  remark: (issue: Issue) => void,
): AsyncGenerator<Uint8Array> {
  let head: string | undefined = "";
  for await (const text of decodeStream(chunks, remark)) {
    if (head === undefined) {
      yield Buffer.from(text);
      continue;
    }
    head += text;
    // A declaration is shorter than this. The root element comes after it.
    if (head.length < 1000) continue;
    yield begun(head);
    head = undefined;
  }
  if (head !== undefined) yield begun(head);
  yield Buffer.from("</move>");
}

function begun(head: string): Uint8Array {
  return Buffer.from(`<move>${head.replace(DECLARATION, "")}`);
}
