/** How the files of one group are built: a structure for each table, and one for all files of another kind. */
import type { Archive, Entry } from "../../connectors/containers/archive.ts";
import { ArchiveError } from "../../connectors/containers/archive-error.ts";
import { readUnpacked } from "../../connectors/containers/gzip.ts";
import { type Census, takeCensus } from "../../connectors/formats/fit/census.ts";
import { type ContentKind, detectKind } from "./kind.ts";
import { type OpenedEntry, openEntry, type Work } from "./open-entry.ts";
import { describeTable, type TableStructure } from "./table.ts";
import { type Branch, StructureTree } from "./tree.ts";
import { addJson, addXml } from "./trees.ts";

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
