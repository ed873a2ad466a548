/**
 * Prints the readings of the connectors' cases, a line each, after the case they belong to. It runs in a process of its own, with a zone and a
 * language that a test has set: `node print-readings.ts strava/a-2018-10-columns csv/german`.
 */
import { connectorNamed } from "../../connectors/registry.ts";
import { fixtureCases, linesOf, openCase, readAll } from "./fixture-cases.ts";

const wanted = process.argv.slice(2);
for (const each of fixtureCases()) {
  const connector = connectorNamed(each.connector);
  if (connector === undefined || !wanted.includes(`${each.connector}/${each.name}`)) continue;
  const archive = await openCase(each);
  for (const line of linesOf(await readAll(connector, archive))) console.log(`${each.connector}/${each.name} ${line}`);
  await archive.close();
}
