/**
 * Writes `expected.jsonl` for every case of the connectors that does not have it yet: `npm run golden`. An existing file stays as it is, unless
 * `--force` is given with the names of cases: `npm run golden -- --force csv/us`.
 *
 * The output is a draft: read it line by line beside the archive. That reading is the review.
 */
import { writeFileSync } from "node:fs";
import { connectorNamed } from "../connectors/registry.ts";
import { expectedLines, expectedPath, fixtureCases, linesOf, openCase, readAll } from "./suites/fixture-cases.ts";

const isForced = process.argv.includes("--force");
const named = process.argv.slice(2).filter((word) => word !== "--force");
if (isForced && named.length === 0) {
  console.error("Cannot overwrite: name the cases after --force, like csv/us");
  process.exit(2);
}
let written = 0;
for (const each of fixtureCases()) {
  const name = `${each.connector}/${each.name}`;
  const connector = connectorNamed(each.connector);
  if (connector === undefined || (named.length > 0 && !named.includes(name))) continue;
  const before = expectedLines(each);
  if (before !== undefined && !isForced) continue;
  const archive = await openCase(each);
  const lines = linesOf(await readAll(connector, archive));
  await archive.close();
  const changed = before === undefined ? lines.length : lines.filter((line, index) => line !== before[index]).length;
  writeFileSync(expectedPath(each), `${lines.join("\n")}\n`);
  console.log(`${name}: ${lines.length} lines written, ${changed} of them new: read them`);
  written++;
}
console.log(written === 0 ? "Every case has its expectation." : `${written} to read.`);
