/** The device files beside a person's spreadsheet: rows name them, or they are found by the start or the day of a row. */
import type { Reading } from "../../../transforms/model/item.ts";
import type { Entry } from "../../containers/archive.ts";
import { type KnownFiles, readDeviceFile } from "../device-files/readings.ts";
import type { ReadSession } from "../session.ts";
import { DatedFiles } from "../table/files/dated-files.ts";
import { StartedFiles, type StartedRecording } from "../table/files/started-files.ts";
import type { Mapping } from "../table/mapping/mapping.ts";
import type { Sheet } from "../table/sheet.ts";
import type { MappedTable } from "./find-mapping.ts";

/** Files that hold recordings. */
const RECORDING = /\.(?:fit|gpx|tcx)(?:\.gz)?$/i;

/** The words of a sheet that lead to files. */
export type FileWords = Pick<Sheet, "fileNamed" | "started">;

/** Whether a mapping gives device files to its rows. */
export function hasFiles({ files, columns }: Mapping): boolean {
  return files !== undefined || Object.values(columns).some(({ field }) => field === "file");
}

/** The device files of an archive. Each belongs to one row of one table; the rest is read by itself. */
export class Recordings {
  readonly known: KnownFiles = new Map();
  readonly #session: ReadSession;
  readonly #all: readonly Entry[];
  readonly #paths: ReadonlySet<string>;
  /** Files by their names in lower case, with and without the ending. Undefined for a name that two files have. */
  readonly #byName = new Map<string, Entry | undefined>();
  readonly #named = new Set<string>();
  readonly #started: StartedFiles | undefined;

  constructor(session: ReadSession, tables: readonly MappedTable[]) {
    this.#session = session;
    const wanted = tables.map(({ mapping }) => mapping).filter(hasFiles);
    const entries = wanted.length === 0 ? [] : [...session.archive.entries()];
    this.#all = entries.filter(({ path }) => RECORDING.test(path));
    this.#paths = new Set(this.#all.map(({ path }) => path));
    for (const entry of this.#all) {
      const name = nameOf(entry.path).toLowerCase();
      for (const each of new Set([name, name.replace(RECORDING, "")]))
        this.#byName.set(each, this.#byName.has(each) ? undefined : entry);
    }
    const ways = new Set(wanted.flatMap(({ files }) => files?.by ?? []));
    if (ways.has("start") || ways.has("day"))
      this.#started = new StartedFiles(
        session,
        this.#all,
        ways.has("day") ? new DatedFiles<StartedRecording>() : undefined,
      );
  }

  /** Whether a path is one of these files. */
  has(path: string): boolean {
    return this.#paths.has(path);
  }

  /** Finds files for the rows of a table. */
  wordsFor({ table, mapping }: MappedTable): FileWords {
    if (!hasFiles(mapping)) return {};
    const { folder = "", by = ["name"] } = mapping.files ?? {};
    const own = table.path.slice(0, table.path.lastIndexOf("/") + 1);
    const isByTime = by.includes("start") || by.includes("day");
    return {
      fileNamed: (name) => this.#fileNamed(name, own, folder === "" || folder.endsWith("/") ? folder : `${folder}/`),
      ...(this.#started !== undefined && isByTime && { started: this.#started }),
    };
  }

  /** Notes the files that rows name. They are not read by themselves. */
  note(paths: Iterable<string>): void {
    for (const path of paths) this.#named.add(path);
  }

  /** Reads the files of no row. */
  async *rest(prefix: string): AsyncGenerator<Reading> {
    if (this.#started !== undefined) {
      yield* this.#started.rest(prefix, this.#named, this.known);
      return;
    }
    for (const entry of this.#all)
      if (!this.#named.has(entry.path)) yield* readDeviceFile(this.#session, entry, prefix, this.known);
  }

  /** The file of a cell: at its path beside the table, in the folder, or the only one of its name. A cell may lack the ending. */
  #fileNamed(cell: string, own: string, folder: string): Entry | undefined {
    const path = cell.replaceAll("\\", "/").replace(/^\.\//, "");
    const { archive } = this.#session;
    const exact = archive.entry(own + path) ?? archive.entry(own + folder + path);
    if (exact !== undefined) return exact;
    return this.#byName.get(nameOf(path).toLowerCase());
  }
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
