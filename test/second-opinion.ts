/**
 * Compares every point of FIT files by logferry's reader and by fit-file-parser: `npm run opinion -- ~/watch`. It takes files and folders, packed by
 * gzip or not. Files that are no FIT files are passed over. The exit code is 3 if any point differs.
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { GzipError, ungzip } from "../connectors/formats/gzip.ts";
import { sniff } from "../connectors/formats/sniff.ts";
import { secondOpinion } from "./support/fit-file-parser.ts";

const MOST_BYTES = 64 * 2 ** 20;

const named = process.argv.slice(2);
if (named.length === 0) {
  console.error("Name the files or folders to compare: npm run opinion -- ~/watch");
  process.exit(2);
}
let files = 0;
let points = 0;
let differing = 0;
for (const path of named.flatMap(filesOf)) {
  const bytes = fitAt(path);
  if (bytes === undefined) continue;
  const opinion = secondOpinion(bytes);
  files++;
  points += opinion.points;
  differing += opinion.differences.length;
  const [first] = opinion.differences;
  if (first !== undefined) {
    console.log(
      `${path}: ${opinion.differences.length} of ${opinion.points} points differ. Record ${first.index + 1}:`,
    );
    console.log(`  logferry         ${JSON.stringify(first.ours)}\n  fit-file-parser  ${JSON.stringify(first.theirs)}`);
  }
}
console.log(`${files} FIT files, ${points} points: ${differing === 0 ? "all the same" : `${differing} differ`}`);
process.exitCode = differing === 0 ? 0 : 3;

function filesOf(path: string): readonly string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** The bytes of a FIT file, unpacked; undefined for any other file, and for a packed file that can't be unpacked, which is named. */
function fitAt(path: string): Uint8Array | undefined {
  const stored = readFileSync(path);
  try {
    const bytes = sniff(stored) === "gzip" ? ungzip(stored, path, { maxBytes: MOST_BYTES }).bytes : stored;
    return sniff(bytes) === "fit" ? bytes : undefined;
  } catch (error) {
    if (!(error instanceof GzipError)) throw error;
    console.log(`${path}: ${error.message}`);
    return undefined;
  }
}
