/**
 * The Frictionless data package of an export, `datapackage.json` (Data Package, version 2.0). It lists every file of the folder with its size and
 * SHA-256. It describes every table: the type and the meaning of the columns, the key, and the links to other tables.
 */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { basename, join } from "node:path";
import type { Column, ColumnType, Table } from "./tables.ts";
import type { ExportedFile } from "./writer.ts";

/** The name of the file. */
export const DATA_PACKAGE = "datapackage.json";

/** The version of the export formats. The number changes when an older logferry would misread them. */
export const EXPORT_VERSION = 1;

/** The parts of a data package that logferry uses. */
export interface OurPackage {
  readonly logferry: { readonly export: number; readonly csvText?: "guarded" | "raw" };
  readonly resources: readonly { readonly path: string; readonly name: string }[];
}

/** Whether a value is the data package of a logferry export, of any version. */
export function isOurPackage(value: unknown): value is OurPackage {
  if (typeof value !== "object" || value === null) return false;
  const { logferry, resources } = value as Partial<OurPackage>;
  return (
    typeof logferry === "object" &&
    logferry !== null &&
    Number.isInteger(logferry.export) &&
    Array.isArray(resources) &&
    resources.every((resource: unknown) => typeof (resource as { path?: unknown } | null)?.path === "string")
  );
}

/** Types of Table Schema. The numbers of measures have a decimal point, which is the schema's default. */
const TYPES: Readonly<Record<ColumnType, string>> = {
  text: "string",
  id: "string",
  integer: "integer",
  number: "number",
  date: "date",
  time: "time",
  boolean: "boolean",
  words: "string",
};

/** The format and media type of a file, by its ending. */
const FORMATS: readonly (readonly [ending: string, format: string, mediatype: string])[] = [
  [".schema.json", "json", "application/schema+json"],
  [".csv", "csv", "text/csv"],
  [".json", "json", "application/json"],
  [".ndjson", "ndjson", "application/x-ndjson"],
  [".ndjson.gz", "ndjson", "application/gzip"],
  [".xlsx", "xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"],
  [".parquet", "parquet", "application/vnd.apache.parquet"],
  [".ics", "ics", "text/calendar"],
  [".gpx", "gpx", "application/gpx+xml"],
];

const BINARY = /\.(gz|xlsx|parquet)$/;

/**
 * Describes the files of a folder. It reads each file once.
 *
 * @param tables the tables that were written
 */
export async function dataPackage(
  folder: string,
  files: readonly ExportedFile[],
  tables: readonly Table[],
  { now, rawCsv }: { readonly now: number; readonly rawCsv: boolean },
): Promise<string> {
  const resources = [];
  for (const { path } of files) {
    const [, format, mediatype] = FORMATS.find(([ending]) => path.endsWith(ending)) ?? [];
    const table = path.endsWith(".csv") ? tables.find(({ name }) => path === `${name}.csv`) : undefined;
    resources.push({
      name: nameOf(path),
      path,
      ...(table !== undefined && { $schema: "https://datapackage.org/profiles/2.0/dataresource.json", type: "table" }),
      ...(table !== undefined && { title: table.title }),
      format,
      mediatype,
      ...(path.endsWith(".gz") && { compression: "gz" }),
      ...(!BINARY.test(path) && { encoding: "utf-8" }),
      ...(await sizeAndHash(join(folder, path))),
      ...(table !== undefined && { dialect: { delimiter: ",", header: true }, schema: tableSchema(table, tables) }),
    });
  }
  const description = {
    $schema: "https://datapackage.org/profiles/2.0/datapackage.json",
    name: "training-log",
    title: "A training log",
    created: new Date(now).toISOString(),
    logferry: { export: EXPORT_VERSION, csvText: rawCsv ? "raw" : "guarded" },
    resources,
  };
  return `${JSON.stringify(description, undefined, 2)}\n`;
}

/**
 * The name of a file in the package. "A name [...] lower-case and contain only alphanumeric characters along with `.`, `_` or `-`": unique among
 * the files.
 */
function nameOf(path: string): string {
  const name = path.endsWith(".csv") ? basename(path, ".csv") : path;
  return name.toLowerCase().replaceAll(/[^a-z0-9._-]/g, "-");
}

function tableSchema(table: Table, tables: readonly Table[]) {
  const has = (name: string) => table.columns.some((column) => column.name === name);
  const links = Object.entries(table.links).filter(
    ([column, target]) =>
      has(column) && tables.some(({ name, columns }) => name === target && columns.some((one) => one.name === "id")),
  );
  return {
    fields: table.columns.map(fieldOf),
    missingValues: [""],
    ...(table.key.length > 0 && table.key.every(has) && { primaryKey: table.key }),
    ...(links.length > 0 && {
      foreignKeys: links.map(([column, target]) => ({
        fields: [column],
        reference: { resource: target, fields: ["id"] },
      })),
    }),
  };
}

function fieldOf({ name, type, meaning }: Column) {
  return { name, type: TYPES[type], description: meaning };
}

async function sizeAndHash(path: string): Promise<{ bytes: number; hash: string }> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of createReadStream(path)) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, hash: `sha256:${hash.digest("hex")}` };
}
