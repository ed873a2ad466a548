/** How the files of one group are built: a structure for each table, and one for all files of another kind. */
import type { Archive, Entry } from "../../connectors/containers/archive.ts";
import { ArchiveError } from "../../connectors/containers/archive-error.ts";
import { readUnpacked } from "../../connectors/containers/gzip.ts";
import { type Census, takeCensus } from "../../connectors/formats/fit/census.ts";
import { JsonScan } from "../../connectors/formats/json/scan.ts";
import { looksLike, sniff } from "../../connectors/formats/sniff.ts";
import { decodeStream, decodeText } from "../../connectors/formats/text.ts";
import { streamXml } from "../../connectors/formats/xml/reader.ts";
import { type OpenedEntry, openEntry, type Work } from "./open-entry.ts";
import { describeTable, looksLikeTable, type TableStructure } from "./table.ts";
import { type Branch, type Place, StructureTree } from "./tree.ts";

/** Keys and their types. */
export interface TreeStructure {
  readonly kind: "json" | "xml";
  readonly branches: readonly Branch[];
  readonly rules: readonly string[];
}

/** Messages of FIT files. */
export interface FitStructure extends Census {
  readonly kind: "fit";
}

/** A file of which nothing but its kind is said, or why it can't be read. */
export interface PlainStructure {
  readonly kind: Exclude<ContentKind, "table" | "json" | "xml" | "fit"> | "unreadable";
  readonly rules: readonly string[];
}

/** How files of one group are built. */
export interface FileStructure {
  /** The shape of their paths. */
  readonly path: string;
  /** How many were looked at for this. */
  readonly files: number;
  /** True where only the beginning of one was looked at. */
  readonly isPart: boolean;
  readonly content: TableStructure | TreeStructure | FitStructure | PlainStructure;
}

/** A tree that files of one kind grow together. */
interface Grown {
  readonly tree: StructureTree;
  readonly rules: Set<string>;
  files: number;
  isPart: boolean;
}

/** Looks at files whose paths have one shape. */
export class GroupStructures {
  readonly #path: string;
  readonly #bytesOfFile: number;
  readonly #tables: FileStructure[] = [];
  readonly #trees = new Map<"json" | "xml", Grown>();
  readonly #others = new Map<string, FileStructure>();

  constructor(path: string, bytesOfFile: number) {
    this.#path = path;
    this.#bytesOfFile = bytesOfFile;
  }

  /** Looks at one more file. One that can't be read is described as that. */
  async add(archive: Archive, entry: Entry, work: Work): Promise<void> {
    try {
      const opened = await openEntry(archive, entry, work, this.#bytesOfFile);
      try {
        await this.#describe(archive, entry, opened);
      } finally {
        await opened.close();
      }
    } catch (error) {
      if (!(error instanceof ArchiveError)) throw error;
      this.#other({ kind: "unreadable", rules: [error.rule] }, false);
    }
  }

  /** What was found. */
  structures(): readonly FileStructure[] {
    const grown = [...this.#trees].map(([kind, { tree, files, isPart, rules }]): FileStructure => {
      const content = { kind, branches: tree.branches(kind === "xml"), rules: [...rules] };
      return { path: this.#path, files, isPart, content };
    });
    return [...this.#tables, ...grown, ...this.#others.values()];
  }

  async #describe(archive: Archive, entry: Entry, opened: OpenedEntry): Promise<void> {
    const kind = await detectKind(opened.head, entry.path);
    if (kind === "json" || kind === "xml") await this.#grow(kind, opened);
    else if (kind === "table") {
      const content = await describeTable(opened.head, opened.chunks);
      this.#tables.push({ path: this.#path, files: 1, isPart: opened.isPart(), content });
    } else if (kind === "fit") {
      const { bytes } = await readUnpacked(archive, entry);
      this.#other({ kind, ...takeCensus(bytes) }, false);
    } else this.#other({ kind, rules: [] }, false);
  }

  async #grow(kind: "json" | "xml", opened: OpenedEntry): Promise<void> {
    const grown = this.#trees.get(kind) ?? {
      tree: new StructureTree(kind === "xml"),
      rules: new Set(),
      files: 0,
      isPart: false,
    };
    this.#trees.set(kind, grown);
    grown.files++;
    const add = kind === "json" ? addJson : addXml;
    for (const rule of await add(grown.tree, opened.chunks)) grown.rules.add(rule);
    grown.isPart ||= opened.isPart();
  }

  /** Files of which the same is said are told once. */
  #other(content: FileStructure["content"], isPart: boolean): void {
    const key = JSON.stringify(content);
    const files = (this.#others.get(key)?.files ?? 0) + 1;
    this.#others.set(key, { path: this.#path, files, isPart, content });
  }
}

/** Kinds that are told apart. None of them says anything of a file's content. */
type ContentKind =
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
async function detectKind(head: Uint8Array, path: string): Promise<ContentKind> {
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

/** Adds a JSON file to a tree. @returns rules of what is wrong with the file */
async function addJson(tree: StructureTree, chunks: AsyncIterable<Uint8Array>): Promise<readonly string[]> {
  const rules = new Set<string>();
  const scan = new JsonScan(growing(tree));
  for await (const text of decodeStream(chunks, ({ rule }) => rules.add(rule))) if (!scan.write(text)) break;
  const end = scan.end();
  if (end !== "complete") rules.add(`json/${end}`);
  return [...rules];
}

/** What a scan tells, as places of a tree. */
function growing(tree: StructureTree) {
  const open: { readonly at: Place; readonly parent: number; readonly isList: boolean }[] = [];
  let next = tree.root;
  /** The place of the value that begins. */
  const here = (): Place => {
    const inside = open.at(-1);
    if (inside === undefined) return tree.root;
    return inside.isList ? tree.items(inside.at) : next;
  };
  return {
    open(type: "object" | "list") {
      const at = here();
      tree.value(at, type);
      open.push({ at, parent: tree.parent(), isList: type === "list" });
    },
    close() {
      open.pop();
    },
    key(text: string) {
      const inside = open.at(-1);
      if (inside !== undefined) next = tree.member(inside.at, text, inside.parent);
    },
    value(type: "text" | "number" | "true or false" | "null", text: string) {
      tree.value(here(), type, type === "text" || type === "number" ? text : undefined);
    },
  };
}

/** Adds an XML file to a tree. @returns rules of what is wrong with the file */
async function addXml(tree: StructureTree, chunks: AsyncIterable<Uint8Array>): Promise<readonly string[]> {
  const open: { readonly at: Place; readonly parent: number }[] = [{ at: tree.root, parent: tree.parent() }];
  const { issues } = await streamXml(chunks, {
    open(name, attributes) {
      const inside = open.at(-1) as (typeof open)[number];
      const at = tree.member(inside.at, name, inside.parent);
      const parent = tree.parent();
      tree.value(at, "object");
      for (const [key, value] of Object.entries(attributes))
        tree.value(tree.member(at, `@${key}`, parent), "text", value);
      open.push({ at, parent });
      return true;
    },
    close(_, text) {
      const closed = open.pop();
      if (closed !== undefined && text !== "") tree.value(closed.at, "text", text);
    },
  });
  return [...new Set(issues.map(({ rule }) => rule))];
}
