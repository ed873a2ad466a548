/** LibreOffice without a window. It shows, cell by cell, what its spreadsheet makes of a CSV file that is opened by double click. */
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { DOMParser, type Element, type Node } from "@xmldom/xmldom";

/** A cell as the spreadsheet holds it. */
export interface SheetCell {
  /** As ODF names types: `string`, `float`, `date`, `time`, `boolean`, `percentage`, `currency`. */
  readonly type: string;
  /** The value of a number or a date. For other types the text. */
  readonly value: string;
  readonly formula: string | undefined;
}

/** Whether this machine has it. */
export function hasLibreOffice(): boolean {
  return spawnSync("sh", ["-c", "command -v soffice"]).status === 0;
}

/**
 * Opens CSV files and gives their rows.
 *
 * @param folder for its output and for its own settings, so that a person's settings stay unchanged
 */
export function openedInLibreOffice(
  folder: string,
  paths: readonly string[],
): ReadonlyMap<string, readonly SheetCell[][]> {
  const profile = `-env:UserInstallation=${pathToFileURL(join(folder, "profile"))}`;
  // Comma, quotation mark, UTF-8, from the first line: its dialogue proposes these for such a file.
  const words = [
    profile,
    "--headless",
    "--convert-to",
    "fods",
    "--infilter=CSV:44,34,76,1",
    "--outdir",
    folder,
    ...paths,
  ];
  execFileSync("soffice", words, { stdio: "ignore", timeout: 120_000, env: { ...process.env, HOME: folder } });
  return new Map(
    paths.map((path) => [path, rowsIn(readFileSync(join(folder, basename(path).replace(/csv$/, "fods")), "utf8"))]),
  );
}

function rowsIn(text: string): SheetCell[][] {
  const document = new DOMParser().parseFromString(text, "text/xml");
  return [...document.getElementsByTagName("table:table-row")].map((row) =>
    [...row.getElementsByTagName("table:table-cell")].flatMap((cell) => {
      const times = Number(cell.getAttribute("table:number-columns-repeated") ?? 1);
      return Array.from({ length: Math.min(times, 100) }, () => cellOf(cell));
    }),
  );
}

function cellOf(cell: Element): SheetCell {
  const type = cell.getAttribute("office:value-type") ?? "";
  const values = ["office:date-value", "office:time-value", "office:boolean-value", "office:value"];
  const paragraphs = [...cell.getElementsByTagName("text:p")].map(textOf);
  const value = values.map((name) => cell.getAttribute(name)).find((one) => one !== null && one !== "");
  return {
    type,
    value: type === "string" || value === undefined || value === null ? paragraphs.join("\n") : value,
    formula: cell.getAttribute("table:formula") || undefined,
  };
}

/** Text, with characters for the elements that ODF writes: several blanks, tabs, line ends. */
function textOf(node: Node): string {
  if (node.nodeName === "text:s") return " ".repeat(Number((node as Element).getAttribute("text:c") || 1));
  if (node.nodeName === "text:tab") return "\t";
  if (node.nodeName === "text:line-break") return "\n";
  if (node.nodeType === node.TEXT_NODE) return node.nodeValue ?? "";
  return [...node.childNodes].map(textOf).join("");
}
