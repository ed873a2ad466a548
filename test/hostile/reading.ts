/** Files as a stranger may have made them, read as the command line reads them: real files in a folder of their own. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { readSource } from "../../pipelines/sources/read-source.ts";
import { closeSources, openSources } from "../../pipelines/sources/sources.ts";
import { describeIssue, describeProblem, type Issue } from "../../transforms/model/issue.ts";
import type { Item } from "../../transforms/model/item.ts";
import { type EndSpec, type ZipSpec, zipBytes } from "../support/zip-bytes.ts";

/** The result of reading a source. */
export interface Read {
  /** The items that can go into the log. */
  readonly items: readonly Item[];
  /** Entries that are rejected, each with its message to the person. */
  readonly rejected: Readonly<Record<string, string>>;
  /** The other messages, each with its place. */
  readonly remarks: readonly string[];
}

/** A sound GPX run of three points on a day of its own. */
export function gpx(day = "2020-05-01", inner = ""): string {
  const points = [0, 1, 2].map((n) => `<trkpt lat="48.0000${n}" lon="16.3"><time>${day}T06:00:0${n}Z</time></trkpt>`);
  return `<gpx version="1.1"><trk><type>run</type><trkseg>${points.join("")}${inner}</trkseg></trk></gpx>`;
}

/** Reads a file. @param name what the person named */
export async function readFile(name: string, content: string | Uint8Array): Promise<Read> {
  return readFiles({ [name]: content }, name);
}

/** Reads a folder, or the file of it that a person names. */
export async function readFiles(
  files: Readonly<Record<string, string | Uint8Array>>,
  named = "",
  mapping?: string,
): Promise<Read> {
  const folder = mkdtempSync(join(tmpdir(), "hostile-"));
  try {
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), content);
    }
    return await readPath(join(folder, named), mapping);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Reads the source at a path. */
export async function readPath(path: string, mapping?: string): Promise<Read> {
  const sources = await openSources([path], mapping);
  const items: Item[] = [];
  const rejected: Record<string, string> = {};
  const remarks: string[] = [];
  try {
    for (const source of sources) {
      const context = {
        signal: new AbortController().signal,
        report: (issue: Issue) => remarks.push(describeIssue(issue)),
        sports: new Map(),
      };
      for await (const reading of readSource(source, context)) {
        if (reading.kind !== "set-aside") items.push(reading);
        else
          rejected[
            `${reading.origin.entry}${reading.origin.locator === undefined ? "" : ` ${reading.origin.locator}`}`
          ] = describeProblem(reading.issue);
      }
    }
  } finally {
    await closeSources(sources);
  }
  return { items, rejected, remarks };
}

/** Reads a zip of these entries and a sound run, `good.gpx`. */
export function readZip(entries: readonly ZipSpec[], end: EndSpec = {}): Promise<Read> {
  return readFile("x.zip", zipBytes([{ name: "good.gpx", content: gpx() }, ...entries], end));
}

/** The message of a command that can't begin. */
export async function refusalOf(reading: Promise<Read>): Promise<string> {
  return reading.then(
    () => "it was read",
    (error: Error) => error.message,
  );
}
