/** What kind of content a file has, by its first bytes. */
import { looksLike, sniff } from "../../connectors/formats/sniff.ts";
import { decodeText } from "../../connectors/formats/text.ts";
import { looksLikeTable } from "./table.ts";

/** Kinds that are told apart. None of them says anything of a file's content. */
export type ContentKind =
  | "table"
  | "json"
  | "xml"
  | "fit"
  | "html"
  | "zip"
  | "text"
  | "empty"
  | "binary"
  | "picture"
  | "pdf"
  | "sqlite";

/** What `looksLike` says of bytes that are no text. */
const BINARY: Readonly<Record<string, ContentKind>> = {
  "a picture": "picture",
  "a PDF document": "pdf",
  "an SQLite database": "sqlite",
};

/** Control characters that no text has, NUL aside: tables of old programs hold some. */
const CONTROLS = /[\u0001-\u0008\u000e-\u001a\u001c-\u001f]/;

/** The kind of a file. @param head its first bytes, unpacked */
export async function detectKind(head: Uint8Array, path: string): Promise<ContentKind> {
  if (head.length === 0) return "empty";
  const known = sniff(head);
  if (known === "fit" || known === "zip") return known;
  if (known === "gzip") return "binary";
  if (known !== undefined) return "xml";
  const words = looksLike(head);
  const binary = BINARY[words];
  if (binary !== undefined) return binary;
  if (words === "an HTML page") return "html";
  const text = decodeText(head).text.trimStart();
  if (CONTROLS.test(text.slice(0, 4096))) return "binary";
  if (text.startsWith("<")) return "xml";
  if (text.startsWith("{") || text.startsWith("[")) return "json";
  return /\.(csv|tsv)(\.gz)?$/i.test(path) || (await looksLikeTable(head)) ? "table" : "text";
}
