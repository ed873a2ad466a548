/** Asks in which encoding a text was written, where its bytes fit several. */
import type { Archive, Entry } from "../../../containers/archive.ts";
import { decoderOf } from "../../../formats/dos-pages.ts";
import type { LegacyEncoding } from "../../../formats/legacy-encoding.ts";
import { decodeText } from "../../../formats/text.ts";
import type { Answers, Choice } from "../choices/choice.ts";
import { ANSWERED } from "../questions/answers.ts";

/** Where a person says the encoding. */
const ENCODING = "file.encoding";

/** Bytes of a text that are looked at. */
const MOST_BYTES = 1024 * 1024;

/** The encoding that a proposal reads, and the question about it. */
export interface ChosenEncoding {
  readonly encoding: LegacyEncoding;
  readonly choice: Choice;
}

/**
 * The encoding of a text; undefined where its bytes say it, and nobody said another one.
 *
 * @throws ArchiveError as `Archive.stream`
 */
export async function chooseEncoding(
  archive: Archive,
  entry: Entry,
  answers: Answers,
): Promise<ChosenEncoding | undefined> {
  const bytes = await beginningOf(archive, entry);
  const { encoding, others } = decodeText(bytes);
  const fitting = [encoding as LegacyEncoding, ...others];
  const word = wordIn(bytes);
  if (others.length === 0 || word === undefined) return undefined;
  const read = fitting.map((value) => ({ value, means: JSON.stringify(decoderOf(value).decode(word)) }));
  const base = { place: ENCODING, contradicting: 0, rows: 1 };
  const said = fitting.find((one) => one === answers.get(ENCODING));
  if (said !== undefined) return { encoding: said, choice: { ...base, value: said, why: ANSWERED } };
  const choice = {
    ...{ ...base, value: encoding, question: "Which of these words is right?", options: read },
    why: `a word is ${read.map(({ means, value }) => `${means} in ${value}`).join(", ")}. If none is right, save the table as UTF-8`,
  };
  return { encoding: fitting[0] as LegacyEncoding, choice };
}

async function beginningOf(archive: Archive, entry: Entry): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of archive.stream(entry)) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= MOST_BYTES) break;
  }
  return Buffer.concat(chunks);
}

/** The longest word of at most 30 bytes with one beyond ASCII: the more of it is known, the easier it is to tell. */
function wordIn(bytes: Uint8Array): Uint8Array | undefined {
  const words =
    Buffer.from(bytes)
      .toString("latin1")
      .match(/[A-Za-z\u0080-\u00ff]{2,30}/g) ?? [];
  const [longest] = words.filter((word) => /[\u0080-\u00ff]/.test(word)).toSorted((a, b) => b.length - a.length);
  return longest === undefined ? undefined : Buffer.from(longest, "latin1");
}
