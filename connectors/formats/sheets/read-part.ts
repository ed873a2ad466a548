/** Reads a part of a workbook with the XML reader, and gives what its handler collects as it comes. */
import { textReader } from "../text.ts";
import {
  declaredEncoding,
  streamXml,
  XML_CAPS,
  type XmlAttributes,
  type XmlHandler,
  type XmlOutcome,
  xmlReader,
} from "../xml/reader.ts";
import { textCutter } from "./long-texts.ts";
import { SHEET_CAPS, WorkbookError } from "./sheet.ts";

/** Room for a tag before its text. */
const TAG_LENGTH = 2 ** 16;

const CAPS = { ...XML_CAPS, attributes: 128, text: SHEET_CAPS.cellLength + 2 * TAG_LENGTH };

/** A longer run of markup and text is cut. It is longer than a cell may be, so the cell is refused. */
const LONGEST_RUN = SHEET_CAPS.cellLength + TAG_LENGTH;

/** A handler that collects things. */
export interface Collector<T> extends XmlHandler {
  /** Gives what was collected since the last call. */
  take(): readonly T[];
}

/**
 * Reads a part from its stream, and gives the collected things piece by piece.
 *
 * When the handler ends the reading, the rest of the stream is still read, because its checksum comes last.
 *
 * @returns how the reading ended
 */
export async function* readPart<T>(
  chunks: AsyncIterable<Uint8Array>,
  collector: Collector<T>,
): AsyncGenerator<T, XmlOutcome> {
  const reader = xmlReader(collector, CAPS);
  const cutter = textCutter(LONGEST_RUN);
  let head: Uint8Array = new Uint8Array(0);
  const text = textReader(() => declaredEncoding(head));
  let goesOn = true;
  for await (const chunk of chunks) {
    if (!goesOn) continue;
    if (head.length < HEAD_BYTES) head = Buffer.concat([head, chunk.subarray(0, HEAD_BYTES)]);
    for (let at = 0; at < chunk.length && goesOn; at += SLICE_BYTES) {
      goesOn = reader.write(cutter.write(text.write(chunk.subarray(at, at + SLICE_BYTES))));
      yield* collector.take();
    }
  }
  if (goesOn) {
    reader.write(cutter.write(text.end()));
    yield* collector.take();
  }
  return reader.end();
}

/** The first bytes of a document, where it names its encoding. */
const HEAD_BYTES = 256;

/** Bytes that are parsed before their rows are given. */
const SLICE_BYTES = 2 ** 16;

/** Reads a small part whole. @throws WorkbookError `xml/doctype` */
export async function readSmallPart(chunks: AsyncIterable<Uint8Array>, handler: XmlHandler): Promise<XmlOutcome> {
  return withoutDoctype(await streamXml(chunks, handler, CAPS));
}

const AS_SAVED = "a workbook without one: open it in Excel or LibreOffice, and save it as .xlsx or as CSV";

/** Refuses a part with a document type, which no workbook needs. @throws WorkbookError `xml/doctype` */
export function withoutDoctype(outcome: XmlOutcome): XmlOutcome {
  const issue = outcome.issues.find(({ rule }) => rule === "xml/doctype");
  if (issue === undefined) return outcome;
  const found = issue.found ?? "a document type";
  throw new WorkbookError("xml/doctype", `${found} (DOCTYPE), which no spreadsheet program writes`, AS_SAVED);
}

/** The value of an attribute by its local name: `id` finds `r:id`. */
export function attribute(attributes: XmlAttributes, name: string): string | undefined {
  const own = attributes[name];
  if (own !== undefined) return own;
  const ending = `:${name}`;
  for (const key of Object.keys(attributes)) if (key.endsWith(ending)) return attributes[key];
  return undefined;
}
