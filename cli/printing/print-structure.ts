/** Prints the structure of an archive, in lines that a person can check before sending them to somebody. */
import type { FileStructure } from "../../pipelines/structure/group.ts";
import type { StructureReport } from "../../pipelines/structure/report.ts";
import type { ColumnStructure, TableStructure } from "../../pipelines/structure/table.ts";
import type { ShapeCount } from "../../pipelines/structure/tally.ts";
import type { Branch } from "../../pipelines/structure/tree.ts";
import { count } from "../terminal/output.ts";

/** The most lines of one tree. More lines help nobody. */
const MOST_LINES = 600;

/** The lines of a report. */
export function structureLines(report: StructureReport, version: string): readonly string[] {
  const { archive, files, bytes, groups, otherFiles, refused } = report;
  return [
    `Structure of ${archive}, without its values (logferry ${version})`,
    `  ${recognition(report)}`,
    `  ${count(files)} ${files === 1 ? "file" : "files"}, ${count(bytes)} bytes`,
    ...Object.entries(refused).map(([rule, times]) => `  refused: ${rule} (${count(times)})`),
    ...report.findings.map(({ rule, count: times }) => `  finding: ${rule} (${count(times)})`),
    "",
    "Files (a: letters, #: a digit)",
    ...groups.map(
      ({ path, files: times, leastBytes, mostBytes }) =>
        `  ${count(times)} x ${path}, ${leastBytes === mostBytes ? count(mostBytes) : `${count(leastBytes)} to ${count(mostBytes)}`} bytes`,
    ),
    ...(otherFiles === 0 ? [] : [`  ${count(otherFiles)} files of other shapes`]),
    ...report.structures.flatMap((structure) => ["", ...fileLines(structure)]),
  ];
}

function recognition({ recognised, problem, records }: StructureReport): string {
  const known = recognised.length === 0 ? "recognised by no connector" : `recognised by ${recognised.join(", ")}`;
  const read =
    records === undefined
      ? ""
      : `: ${count(records.read)} records, ${count(records.skipped)} left out by rule, ${count(records.quarantined)} unusable`;
  return `${known}${read}${problem === undefined ? "" : ` (${problem})`}`;
}

function fileLines({ path, files, isPart, content }: FileStructure): readonly string[] {
  const rules = content.rules.map((rule) => `  ${rule}`);
  const looked = `${files === 1 ? "" : `${count(files)} files, `}${isPart ? "the beginning of " : ""}${path}: ${content.kind}`;
  switch (content.kind) {
    case "table":
      return [looked, ...rules, ...tableLines(content)];
    case "json":
    case "xml":
      return [looked, ...rules, ...bounded(treeLines(content.branches, "  "))];
    case "fit":
      return [
        looked,
        ...rules,
        ...content.messages.map(
          ({ message, count: times, fields, appBytes }) =>
            `  message ${message} (${count(times)}): ${fields.map(({ number, size, baseType }) => `${number}:${size}:${baseType}`).join(" ")}${appBytes === 0 ? "" : `, ${appBytes} bytes of apps`}`,
        ),
        "  (of each field its number, its bytes and its base type)",
      ];
    default:
      return [looked, ...rules];
  }
}

function tableLines(table: TableStructure): readonly string[] {
  const { delimiter, encoding, title, records, widths, columns, moreColumns } = table;
  return [
    ...(title === undefined ? [] : [`  a title above the first line: ${title.join(", ")}`]),
    `  ${delimiter}, ${encoding}, ${count(records)} records below the first line`,
    ...widths.map((width) => `  ${count(width.records)} records of ${width.columns} columns`),
    ...columns.map((column, index) => `  ${index + 1} ${columnName(column)}: ${shapesIn(column.shapes)}`),
    ...(moreColumns === 0 ? [] : [`  ${count(moreColumns)} more columns`]),
  ];
}

function columnName({ header, first }: ColumnStructure): string {
  return header === undefined ? `(first line: ${first ?? "empty"})` : JSON.stringify(header);
}

function shapesIn(shapes: readonly ShapeCount[]): string {
  if (shapes.length === 0) return "nothing";
  const shown = shapes.slice(0, 8).map(({ shape, count: times, digits }) => {
    const unit = shape === "whole number" ? "digit" : "decimal";
    const range =
      digits === undefined ? "" : ` of ${[...new Set(digits)].join(" to ")} ${unit}${digits[1] === 1 ? "" : "s"}`;
    return `${shape}${range} (${count(times)})`;
  });
  return `${shown.join(", ")}${shapes.length > shown.length ? ` and ${shapes.length - shown.length} more` : ""}`;
}

function* treeLines(branches: readonly Branch[], indent: string): Generator<string> {
  for (const { key, types, shapes, branches: below } of branches) {
    const counted = Object.entries(types).map(([type, times]) => `${type} (${count(times)})`);
    const values = shapes.length === 0 ? "" : `: ${shapesIn(shapes)}`;
    yield `${indent}${key} ${counted.join(", ")}${values}`;
    yield* treeLines(below, `${indent}  `);
  }
}

function bounded(lines: Iterable<string>): readonly string[] {
  const shown: string[] = [];
  for (const line of lines) {
    if (shown.length === MOST_LINES) return [...shown, "  ..."];
    shown.push(line);
  }
  return shown;
}
