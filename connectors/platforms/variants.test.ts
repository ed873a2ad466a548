import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Case, fixtureCases, openCase, readAll } from "../../test/suites/fixture-cases.ts";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { chosenRows, inputs } from "../../test/support/tiers.ts";
import { zipBytes } from "../../test/support/zip-bytes.ts";
import { openArchive } from "../containers/open.ts";
import type { Connector } from "../contract.ts";
import { FatalError } from "../errors.ts";
import { connectorNamed, identifyArchive } from "../registry.ts";

// These tests damage an export as a mail program, an editor, a spreadsheet or an attacker does. A harmless change must change nothing. A harmful
// one must lose only the data that it touches.

const folder = temporaryFolder();

/** The cases of each platform. The first tier tests the first case of every other platform, the long tier the others. */
const known = fixtureCases().filter(({ connector }) => connectorNamed(connector) !== undefined);
const platforms = [...new Set(known.map(({ connector }) => connector))];
const isChosen = ({ connector }: Case, index: number) =>
  platforms.indexOf(connector) % 2 === 0 && known.findIndex((each) => each.connector === connector) === index;
const cases = chosenRows(known, isChosen);

/** Text files that a program may have saved again. A device file is recognised by its bytes and stays unchanged. */
const TEXT = /\.(?:csv|tsv|txt|jsonl?|xml|pwx|fitlog|logbook3?|sml|hrm|pdd|ppp|ped|ftb)$|HiTrack_[^/]*$/i;

/** Cases with texts that are not UTF-8. A UTF-8 byte order mark would be wrong there. */
const isUtf8 = (bytes: Uint8Array) => Buffer.from(Buffer.from(bytes).toString()).equals(Buffer.from(bytes));

type Files = Readonly<Record<string, Uint8Array>>;

async function filesOf(each: Case): Promise<Files> {
  const archive = await openCase(each);
  const files: Record<string, Uint8Array> = {};
  for (const entry of archive.entries()) files[entry.path.replaceAll("!/", "/")] = await archive.read(entry);
  await archive.close();
  return files;
}

function changed(files: Files, change: (bytes: Uint8Array, path: string) => Uint8Array): Files {
  return Object.fromEntries(
    Object.entries(files).map(([path, bytes]) => [
      path,
      TEXT.test(path) && isUtf8(bytes) ? change(bytes, path) : bytes,
    ]),
  );
}

const zipOf = (files: Files) =>
  zipBytes(Object.entries(files).map(([name, content]) => ({ name, content, stored: true })));

/** Reads files as a person gives them, in a zip. @returns the values by key, or the refusal of the whole */
async function readZip(connector: Connector, zip: Uint8Array): Promise<ReadonlyMap<string, string> | FatalError> {
  const path = join(folder, `${createHash("sha256").update(zip).digest("hex").slice(0, 16)}.zip`);
  writeFileSync(path, zip);
  const archive = await openArchive(path);
  try {
    const { readings } = await readAll(connector, archive);
    return new Map(readings.map((reading) => [reading.key, shownOf("value" in reading ? reading.value : reading.as)]));
  } catch (error) {
    if (error instanceof FatalError && error.reason === "source") return error;
    throw error;
  } finally {
    await archive.close();
  }
}

/** Removes the place and the bytes of the file from a value. */
function shownOf(value: unknown): string {
  return JSON.stringify(value, (name, inner) =>
    name === "entry" || name === "also" || name === "sha256"
      ? undefined
      : typeof inner === "string"
        ? inner.replaceAll("\r\n", "\n")
        : inner,
  );
}

const encoded = (text: string) => new TextEncoder().encode(text);
const decoded = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const BOM = Uint8Array.of(0xef, 0xbb, 0xbf);

/** Ten million letters in the place of a text, and six million in the first tier. */
const LONG = "x".repeat(inputs({ first: 6_000_000, long: 10_000_000 }));

/** Makes the first value in a file endless; undefined if the file has no text except names of columns, members or elements. */
function withLongField(text: string, path: string): string | undefined {
  if (/jsonl?$/i.test(path)) return replaced(text, /:\s*"[^"\\]+"/, `: "${LONG}"`);
  if (/\.(?:xml|pwx|fitlog|sml|ped|ftb)$/i.test(path)) return replaced(text, />[^<>\s][^<>]*</, `>${LONG}<`);
  if (/\.logbook3?$/i.test(path)) return replaced(text, / notes="[^"]+"/, ` notes="${LONG}"`);
  const at = text.indexOf("\n", text.indexOf("\n") + 1);
  return at === -1 ? undefined : `${text.slice(0, at)}\n${LONG}${text.slice(at)}`;
}

function replaced(text: string, what: RegExp, by: string): string | undefined {
  const found = what.exec(text);
  return found === null ? undefined : text.slice(0, found.index) + by + text.slice(found.index + found[0].length);
}

/** The platforms that get a text of many megabytes. It takes longer than all other damages, so the first tier tries every ninth platform. */
const withLongTexts = cases.filter((_, index) => index % inputs({ first: 9, long: 1 }) === 0);

describe.each(cases)("$connector/$name", (each) => {
  const connector = connectorNamed(each.connector) as Connector;
  let found: [Files, ReadonlyMap<string, string>] | undefined;
  const usual = async (): Promise<[Files, ReadonlyMap<string, string>]> => {
    if (found !== undefined) return found;
    const files = await filesOf(each);
    const read = await readZip(connector, zipOf(files));
    if (read instanceof FatalError) throw read;
    found = [files, read];
    return found;
  };

  test("is the same in a zip in a zip, and is known there", async () => {
    const [files, read] = await usual();
    const outer = zipBytes([{ name: "mail/export.zip", content: zipOf(files) }]);
    expect(await readZip(connector, outer)).toEqual(read);
    const path = join(folder, "outer.zip");
    writeFileSync(path, outer);
    const archive = await openArchive(path);
    expect((await identifyArchive(archive)).connector.name).toBe(connector.name);
    await archive.close();
  });

  test("is the same with a byte order mark in front of each text", async () => {
    const [files, read] = await usual();
    const marked = changed(files, (bytes) => (bytes[0] === 0xef ? bytes : Buffer.concat([BOM, bytes])));
    expect(await readZip(connector, zipOf(marked))).toEqual(read);
  });

  test("is the same with the line ends of another system", async () => {
    const [files, read] = await usual();
    const ended = changed(files, (bytes) => {
      const text = decoded(bytes);
      return encoded(text.includes("\r\n") ? text.replaceAll("\r\n", "\n") : text.replaceAll("\n", "\r\n"));
    });
    expect(await readZip(connector, zipOf(ended))).toEqual(read);
  });

  test("gives no other values where a table names a column twice", async () => {
    const [files, read] = await usual();
    const doubled = changed(files, (bytes, path) => {
      const text = decoded(bytes);
      if (!/\.(?:csv|tsv)$/i.test(path) || text.includes('"')) return bytes;
      const separator = /[\t;,]/.exec(text)?.[0] ?? ",";
      return encoded(text.replaceAll(/^([^\t;,\r\n]+)[\t;,].*/gm, `$&${separator}$1`));
    });
    const found = await readZip(connector, zipOf(doubled));
    if (found instanceof FatalError) return;
    for (const [key, value] of found)
      if (read.has(key) && value !== '"quarantined"') expect(value, key).toBe(read.get(key));
  });

  if (!withLongTexts.includes(each)) return;
  test("loses nothing beside a field of many megabytes, and does not hold it in a value", async () => {
    const [files, read] = await usual();
    for (const [path, bytes] of Object.entries(files)) {
      const long = TEXT.test(path) && isUtf8(bytes) ? withLongField(decoded(bytes), path) : undefined;
      if (long === undefined) continue;
      const found = await readZip(connector, zipOf({ ...files, [path]: encoded(long) }));
      if (found instanceof FatalError) continue;
      // If a file is one record, the record is lost with it. A table is lost with its header. Other records stay.
      const others = [...found].filter(([key, value]) => read.get(key) === value).length;
      expect(others + 1, path).toBeGreaterThanOrEqual(Math.min(read.size, Object.keys(files).length > 1 ? 1 : 0));
      for (const [key, value] of found) expect(value.length + key.length, path).toBeLessThan(5_000_000);
      break;
    }
  });
});
