/**
 * The readers of platforms without a row in `platforms.ts`: each is given the largest file of one of its fixtures, damaged, among the other
 * files of that fixture. So a new platform has its damaged inputs without a line here.
 */
import { memoryArchive } from "../../connectors/containers/memory.ts";
import type { Connector } from "../../connectors/contract.ts";
import { connectorNamed } from "../../connectors/registry.ts";
import { type Case, fixtureCases, openCase } from "../suites/fixture-cases.ts";
import * as operators from "./operators.ts";
import type { Parser } from "./parsers.ts";
import { ofSource, readBy } from "./reading.ts";
import { CSV_WORDS, JSON_WORDS, XML_WORDS } from "./words.ts";

/** Bytes of the largest file to damage: a larger one would take too long 400 times. */
const LARGEST = 64 * 1024;

/** Files that readers of their own are given, and packed ones, whose damage is all the same. */
const NOT_DAMAGED = /\.(fit|gpx|tcx|zip|gz|jpe?g|png)$/i;

const words = [...CSV_WORDS, ...JSON_WORDS, ...XML_WORDS, "__proto__", "1e308", "NaN", "9999-12-31T23:59:59Z"];

/** A parser for each platform that is not among the names. */
export async function fromFixtures(named: readonly string[]): Promise<readonly Parser[]> {
  const cases = Map.groupBy(fixtureCases(), ({ connector }) => connector);
  const parsers: Parser[] = [];
  for (const [name, own] of cases) {
    const connector = connectorNamed(name);
    if (connector === undefined || named.includes(name)) continue;
    const found = (await Promise.all(own.map(filesOf))).flatMap((files) =>
      [...files].map(([path, bytes]) => ({ path, bytes, files })),
    );
    const [main] = found
      .filter(({ path, bytes }) => bytes.length <= LARGEST && !NOT_DAMAGED.test(path))
      .toSorted((a, b) => b.bytes.length - a.bytes.length);
    if (main !== undefined) parsers.push(parserOf(connector, main.path, main.bytes, main.files));
  }
  return parsers;
}

function parserOf(connector: Connector, path: string, bytes: Buffer, files: ReadonlyMap<string, Buffer>): Parser {
  return {
    name: connector.name,
    seeds: () => [bytes],
    damage: operators.TEXT,
    words,
    read: (input) => readBy(connector, memoryArchive("e", { ...Object.fromEntries(files), [path]: input })),
    mayThrow: ofSource,
  };
}

async function filesOf(each: Case): Promise<ReadonlyMap<string, Buffer>> {
  const archive = await openCase(each);
  const files = new Map<string, Buffer>();
  for (const entry of archive.entries())
    if ((entry.sizeBytes ?? 0) <= LARGEST) files.set(entry.path, Buffer.from(await archive.read(entry)));
  await archive.close();
  return files;
}
