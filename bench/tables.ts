/**
 * Plans a workbook and a text of 200,000 rows. It compares the most memory with that for 1,000 rows, and the time with that of fast-csv, which only
 * parses the text. Part of `npm run bench`.
 */
import { createReadStream, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseStream } from "fast-csv";
import { csvRecord } from "../fixtures/make/text.ts";
import { type MadeCell, packed, xlsxParts } from "../fixtures/make/workbook.ts";
import { timed } from "./measure.ts";

const MB = 1e6;
const MOST_GROWTH = 20 * MB;
const FEW = 1_000;

const MAPPING = `version: 1
dates: { order: iso }
columns:
  Date: { field: date }
  Sport: { field: activity }
  km: { field: distance, unit: km }
  Time: { field: duration, format: h:mm:ss }
  Notes: { field: notes }
`;
const HEAD = ["Date", "Sport", "km", "Time", "Notes"];

/** A process that plans an archive. */
type Plan = (archive: string) => Promise<{ readonly ms: number; readonly read: number; readonly peakBytes: number }>;

/** Measures. @returns the promises that are broken */
export async function benchTables(plan: Plan, many = 200_000): Promise<string[]> {
  const broken: string[] = [];
  const folder = mkdtempSync(join(tmpdir(), "logferry-tables-"));
  try {
    const text = join(folder, `csv-${many}`, "log.csv");
    for (const rows of [FEW, many]) {
      write(join(folder, `csv-${rows}`), "log.csv", textOf(rows));
      write(join(folder, `xlsx-${rows}`), "log.xlsx", workbookOf(rows));
    }
    const bare = await timed(() => parsed(text));
    console.log(`Parse ${many} rows of CSV with fast-csv alone: ${(bare / 1000).toFixed(1)} s`);
    for (const kind of ["csv", "xlsx"]) {
      const small = await middleOf(3, () => plan(join(folder, `${kind}-${FEW}`)));
      const large = await plan(join(folder, `${kind}-${many}`));
      const growth = large.peakBytes - small.peakBytes;
      console.log(
        `Plan ${large.read} rows of ${kind.toUpperCase()}: ${(large.ms / 1000).toFixed(1)} s, ${(large.ms / bare).toFixed(1)}x the time of fast-csv alone; at most ${(large.peakBytes / MB).toFixed(0)} MB, ${(growth / MB).toFixed(0)} MB more than for ${FEW}`,
      );
      if (growth > MOST_GROWTH)
        broken.push(`planning ${many} rows of ${kind} takes at most 20 MB more than planning ${FEW}`);
    }
    console.log();
    return broken;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The middle one of some runs, by memory. */
async function middleOf(count: number, run: () => ReturnType<Plan>): ReturnType<Plan> {
  const runs = [];
  for (let at = 0; at < count; at++) runs.push(await run());
  const sorted = runs.toSorted((a, b) => a.peakBytes - b.peakBytes);
  return sorted[Math.floor(count / 2)] as Awaited<ReturnType<Plan>>;
}

function write(folder: string, name: string, content: Uint8Array | string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), content);
  writeFileSync(join(folder, "log.map.yaml"), MAPPING);
}

/** A row of its own for each number: a day, kilometres, seconds, and a note that no other row has. */
function rowOf(index: number) {
  const day = 31 + (index % 20_000);
  const seconds = 1800 + (index % 4000);
  const two = (value: number) => String(value).padStart(2, "0");
  return {
    day,
    date: new Date(day * 86_400_000).toISOString().slice(0, 10),
    km: (500 + (index % 3000)) / 100,
    seconds,
    clock: `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`,
    note: `run ${index}, with some words about the weather and the legs`,
  };
}

function textOf(rows: number): string {
  const lines = [csvRecord(HEAD)];
  for (let index = 0; index < rows; index++) {
    const { date, km, clock, note } = rowOf(index);
    lines.push(csvRecord([date, "run", String(km), clock, note]));
  }
  return `${lines.join("\n")}\n`;
}

function workbookOf(rows: number): Uint8Array {
  function* cells(): Generator<readonly MadeCell[]> {
    yield HEAD;
    for (let index = 0; index < rows; index++) {
      const { day, date, km, seconds, clock, note } = rowOf(index);
      const shown: MadeCell = { days: 25_569 + day, format: "yyyy-mm-dd", shown: date };
      yield [shown, "run", km, { days: seconds / 86_400, format: "[h]:mm:ss", shown: clock }, note];
    }
  }
  return packed(xlsxParts([{ name: "Log", rows: cells() }]));
}

function parsed(path: string): Promise<void> {
  return new Promise((done, failed) => {
    parseStream(createReadStream(path), { headers: true })
      .on("data", () => {})
      .on("error", failed)
      .on("end", () => done());
  });
}
