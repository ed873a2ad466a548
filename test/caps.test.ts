/**
 * Every limit of docs/limits.md one below its edge, at it and one above it. Where the real one would take gigabytes or minutes a lower
 * one is set, and the number that holds otherwise is written out here a second time.
 */
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateRawSync, gzipSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { readConfig } from "../cli/arguments/config.ts";
import { readLogin } from "../cli/login/credentials.ts";
import { getWorkout } from "../connectors/api/client.ts";
import { parseJson } from "../connectors/api/json.ts";
import { listAllWorkouts, listingCap } from "../connectors/api/listing.ts";
import { OPERATIONS } from "../connectors/api/operations.ts";
import type { Archive } from "../connectors/containers/archive.ts";
import { readUnpacked, streamUnpacked } from "../connectors/containers/gzip.ts";
import { memoryArchive } from "../connectors/containers/memory.ts";
import { openArchive } from "../connectors/containers/open.ts";
import type { Limits } from "../connectors/containers/options.ts";
import { openZipBytes } from "../connectors/containers/zip.ts";
import { readCsv } from "../connectors/formats/csv/read.ts";
import { decodeDeviceFile } from "../connectors/formats/device-file.ts";
import { decodeFit } from "../connectors/formats/fit/decode.ts";
import { FIT_CAPS, type FitCaps } from "../connectors/formats/fit/structure.ts";
import { decodeGpx } from "../connectors/formats/gpx/decode.ts";
import { ungzip } from "../connectors/formats/gzip.ts";
import { decodeKml } from "../connectors/formats/kml/decode.ts";
import { decodeTcx } from "../connectors/formats/tcx/decode.ts";
import { TRACK_CAPS } from "../connectors/formats/xml/track.ts";
import { LIMIT_ROWS } from "../docs/limits.ts";
import { openSources } from "../pipelines/sources/sources.ts";
import { addDemoUser } from "../service/demo.ts";
import { startService } from "../service/server.ts";
import { calm, withServer } from "./support/api.ts";
import * as fit from "./support/fit-bytes.ts";
import { zipBytes } from "./support/zip-bytes.ts";

const KIB = 1024;
const MIB = 1024 * KIB;
const GIB = 1024 * MIB;

const folder = mkdtempSync(join(tmpdir(), "caps-test-"));
afterAll(() => rmSync(folder, { recursive: true }));
const inFolder = (name: string, content: string | Uint8Array) => {
  const path = join(folder, name);
  writeFileSync(path, content, { mode: 0o600 });
  return path;
};

/** One limit, tried. */
interface Trial {
  /** The number that holds. */
  readonly most: number;
  /** The number it is tried at; `most` where left out. */
  readonly at?: number;
  /** What is said of an input of this size: the rule, or a part of the message; undefined when it is taken. */
  readonly said: (size: number, at: number) => Promise<string | undefined> | string | undefined;
  /** What is said of one that is too large. */
  readonly rule: RegExp;
}

/** The rule or code of the error that is thrown; undefined when none is. */
async function thrown(action: () => unknown): Promise<string | undefined> {
  try {
    await action();
    return undefined;
  } catch (error) {
    const { rule, code, message } = error as { rule?: string; code?: string; message: string };
    return `${rule ?? code}: ${message}`;
  }
}

const firstError = (issues: Archive["issues"]) => {
  const issue =
    issues.find(({ severity }) => severity === "error") ?? issues.find(({ rule }) => rule.includes("too-many"));
  return issue && `${issue.rule}: ${issue.found}, ${issue.expected}`;
};

const noise = (size: number) =>
  Buffer.from(Array.from({ length: size }, (_, index) => (index * 7919 + (index >> 3)) % 251));
const opened = (bytes: Uint8Array, limits: Partial<Limits>) => openZipBytes(bytes, "x.zip", { limits });

/** Reads every entry, whole and in chunks; what is said of the first that can't be. */
async function readAll(archive: Archive, how: "read" | "stream" = "read"): Promise<string | undefined> {
  for (const entry of archive.entries()) {
    const said = await thrown(async () => {
      if (how === "read") await archive.read(entry);
      else for await (const _ of archive.stream(entry));
    });
    if (said !== undefined) return said;
  }
  return undefined;
}

const RECORD: readonly fit.FieldSpec[] = [
  [253, "uint32"],
  [3, "uint8"],
];
const record = (n: number) => fit.data(1, RECORD, [1_000_000_000 + n, 140]);
const session = fit.once(2, 18, [
  [253, "uint32", 1_000_000_100],
  [2, "uint32", 1_000_000_000],
]);
const fitOf = (...messages: readonly Uint8Array[]) => fit.fitFile([fit.once(0, 0, [[0, "enum", 4]]), ...messages]);
const decoded = (bytes: Uint8Array, caps: Partial<FitCaps>) =>
  firstError(decodeFit(bytes, "scan", { ...FIT_CAPS, ...caps }).issues);
const many = <T>(count: number, make: (index: number) => T) => Array.from({ length: count }, (_, index) => make(index));

const gpxOf = (inner: string) => `<gpx version="1.1"><trk><trkseg>${inner}</trkseg></trk></gpx>`;
const point = (n: number) => `<trkpt lat="48" lon="16"><time>2020-05-01T06:00:0${n}Z</time></trkpt>`;
const xml = (source: string) => firstError(decodeGpx(source, "scan").issues);

async function csvRules(content: string): Promise<string | undefined> {
  async function* chunks() {
    yield Buffer.from(content);
  }
  let said: string | undefined;
  for await (const _ of readCsv(chunks(), { delimiter: ",", report: ({ rule }) => (said ??= rule) }));
  return said;
}

/** What is said of an answer of so many bytes. */
async function answerOf(size: number, isListing: boolean): Promise<string | undefined> {
  const body = isListing
    ? { code: 0, data: { numEntries: 0, entries: [] }, pad: "" }
    : { code: 0, data: { workout: { id: "a" } }, pad: "" };
  const json = JSON.stringify({ ...body, pad: "x".repeat(size - JSON.stringify(body).length) });
  let said: string | undefined;
  await withServer(
    () => ({ body: json }),
    async ({ connection }) => {
      said = await thrown(async () => {
        if (!isListing) return getWorkout(connection, "a", calm());
        const listing = await listAllWorkouts(connection, calm());
        for await (const _ of listing ?? []);
        return listing;
      });
    },
  );
  return said;
}

/** What is said of a listing with these pages. */
function listed(pages: readonly (readonly unknown[])[], mostBytes?: number): Promise<string | undefined> {
  return thrown(async () => {
    const cap = listingCap(OPERATIONS.listEquipment, mostBytes);
    for (const page of pages) cap(page);
  });
}

/** The status of a body of so many bytes at the service, if it is that of one that is too large. */
async function posted(path: string, type: string, body: Uint8Array, isPacked = false): Promise<string | undefined> {
  const log = await startService({ database: ":memory:" });
  try {
    const { token } = await addDemoUser(log, { units: "kilometres", utcOffset: 0, activities: [] });
    const { status } = await fetch(`${log.url}${path}?access_token=${token}`, {
      method: "POST",
      headers: { "content-type": type, ...(isPacked && { "content-encoding": "gzip" }) },
      body: new Uint8Array(body),
    });
    return status === 413 ? "HTTP 413" : undefined;
  } finally {
    await log.close();
  }
}

/** What the service says of a body that it doesn't take for what it holds. */
async function refused(more: object | string, kind: "courses" | "workouts" = "courses"): Promise<string | undefined> {
  const log = await startService({ database: ":memory:" });
  try {
    const { token } = await addDemoUser(log);
    const required = kind === "courses" ? { name: "a" } : { activityID: 10, date: "2020-01-01" };
    const answer = await fetch(`${log.url}/rest/logs/me/${kind}?access_token=${token}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: typeof more === "string" ? more : JSON.stringify({ ...required, ...more }),
    });
    const { message } = (await answer.json()) as { message?: string };
    return answer.status === 200 ? undefined : `HTTP ${answer.status}: ${message}`;
  } finally {
    await log.close();
  }
}

function numbered(count: number, value: unknown = 0): object {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`member${index}`, value]));
}

const TRIALS: Readonly<Record<string, Trial>> = {
  archive: {
    most: 64 * GIB,
    // A hole of 64 GiB takes no room on the disk.
    said(size) {
      const zip = zipBytes([{ name: "a.fit", content: "x" }]);
      const path = inFolder("hole.zip", "PK\u0007\u0008");
      truncateSync(path, size - zip.length);
      writeFileSync(path, zip, { flag: "a" });
      return thrown(async () => (await openArchive(path)).close());
    },
    rule: /^archive\/too-large: .*64 GiB; raise --max-archive/,
  },
  entries: {
    most: 100_000,
    at: 10,
    said: (size, entries) => thrown(() => opened(zipBytes(many(size, (n) => ({ name: `${n}` }))), { entries })),
    rule: /^archive\/too-many-entries: .*more than 10 files; raise --max-entries/,
  },
  directory: {
    most: 64 * MIB,
    at: 100,
    // 46 bytes of record and a name.
    said: (size, centralDirectoryBytes) =>
      thrown(() => opened(zipBytes([{ name: "n".repeat(size - 46) }]), { centralDirectoryBytes })),
    rule: /^archive\/directory-too-large/,
  },
  name: {
    most: 1024,
    said: async (size) =>
      firstError(
        (
          await opened(
            zipBytes([{ name: `${"d/".repeat(300)}${"f".repeat(size - 600 - 200)}/${"f".repeat(199)}` }]),
            {},
          )
        ).issues,
      ),
    rule: /^archive\/name-too-long: .*at most 1024 bytes/,
  },
  segment: {
    most: 255,
    said: async (size) => firstError((await opened(zipBytes([{ name: `d/${"f".repeat(size)}` }]), {})).issues),
    rule: /^archive\/name-too-long: .*at most 255 bytes in each part/,
  },
  entry: {
    most: 64 * MIB,
    at: 50,
    said: async (size, entryBytes) =>
      readAll(await opened(zipBytes([{ name: "a", content: noise(size) }]), { entryBytes })),
    rule: /^archive\/too-large: .*50 bytes; raise --max-entry/,
  },
  streamed: {
    most: 512 * MIB,
    at: 50,
    said: async (size, streamedBytes) =>
      readAll(await opened(zipBytes([{ name: "a", content: noise(size) }]), { streamedBytes }), "stream"),
    rule: /^archive\/too-large: .*50 bytes; raise --max-entry/,
  },
  unpacked: {
    most: 20 * GIB,
    at: 300,
    // Two files, the second of them packed by gzip as well: what comes out of both packings counts.
    async said(size, unpackedBytes) {
      const inner = gzipSync(Buffer.alloc(100));
      const first = noise(size - 100 - inner.length);
      const archive = await opened(
        zipBytes([
          { name: "a", content: first },
          { name: "b.gz", content: inner },
          { name: "c", content: noise(900), stored: true },
        ]),
        { unpackedBytes },
      );
      const said: (string | undefined)[] = [];
      for (const entry of archive.entries()) said.push(await thrown(() => readUnpacked(archive, entry)));
      const chunks = await opened(
        zipBytes([
          { name: "a", content: noise(size - 100) },
          { name: "b.gz", content: gzipSync(Buffer.alloc(100)), stored: true },
        ]),
        { unpackedBytes },
      );
      for (const entry of chunks.entries())
        said.push(
          await thrown(async () => {
            for await (const _ of streamUnpacked(chunks, entry, () => {}));
          }),
        );
      const refusals = said.filter((one) => one !== undefined);
      // An unpacked entry costs nothing: c is read in any case.
      expect(refusals).toHaveLength(size > unpackedBytes ? 2 : 0);
      return refusals[0];
    },
    rule: /^archive\/unpacked: Cannot read b\.gz: with it, more than 300 bytes of this archive were unpacked; raise --max-unpacked/,
  },
  ratio: {
    most: 200,
    // So many times the packed size, and not a byte of it less: the cap is set around what the content packs to.
    async said(size, ratio) {
      const content = Buffer.concat([noise(MIB), Buffer.alloc(MIB)]);
      const exact = content.length / deflateRawSync(content).length;
      return readAll(await opened(zipBytes([{ name: "a", content }]), { ratio: exact - (size - ratio) * 1e-6 }));
    },
    rule: /^archive\/ratio: .*raise --max-ratio/,
  },
  nesting: {
    most: 1,
    said: async (size) =>
      firstError(
        (
          await opened(
            many(size, (n) => `${n}.zip`).reduce(
              (inner, name) => zipBytes([{ name, content: inner, stored: true }]),
              zipBytes([{ name: "a.fit" }]),
            ),
            {},
          )
        ).issues,
      ),
    rule: /^archive\/nested: .*at most 1 zip inside the other; raise --nested/,
  },
  spooled: {
    most: 20 * GIB,
    at: 2 * MIB,
    async said(size, spooledBytes) {
      const zip = zipBytes([{ name: "a.fit", content: noise(2000), stored: true }], {
        before: Buffer.alloc(size - 2000 - 30 - 5 - 46 - 5 - 22),
      });
      expect(zip).toHaveLength(size);
      const archive = await opened(zipBytes([{ name: "in.zip", content: zip }]), { spooledBytes, ratio: 100_000 });
      await archive.close();
      return firstError(archive.issues);
    },
    rule: /^archive\/too-large/,
  },
  gzip: {
    most: 64 * MIB,
    at: 50,
    said: (size, maxBytes) => thrown(() => ungzip(gzipSync(noise(size)), "a.gz", { maxBytes })),
    rule: /^archive\/too-large: .*more than 50 bytes/,
  },
  "device-file": {
    most: 64 * MIB,
    at: 300,
    said: (size, most) => firstError(decodeDeviceFile(Buffer.from(gpxOf(point(1)).padEnd(size)), "scan", most).issues),
    rule: /^device-file\/too-large: .*at most 300 bytes/,
  },
  "fit-messages": {
    most: 1_000_000,
    at: 20,
    // A file id and its definition, a definition of records.
    said: (size, messages) => decoded(fitOf(fit.define(1, 20, RECORD), ...many(size - 3, record)), { messages }),
    rule: /^fit\/too-many-messages: more than 20 messages/,
  },
  "fit-bytes": {
    most: 64 * MIB,
    at: 400,
    said: (size, bytes) => decoded(Buffer.concat([fitOf(fit.define(1, 20, RECORD), record(1))], size), { bytes }),
    rule: /^fit\/too-large: 401 bytes, at most 400 bytes/,
  },
  "fit-sessions": {
    most: 255,
    said: (size) => decoded(fitOf(fit.define(1, 20, RECORD), record(1), ...many(size, () => session)), {}),
    rule: /^fit\/too-many-sessions/,
  },
  "fit-files": {
    most: 255,
    said: (size) => decoded(Buffer.concat(many(size, () => fitOf(fit.define(1, 20, RECORD), record(1)))), {}),
    rule: /^fit\/too-many-files/,
  },
  "fit-laps": {
    most: 20_000,
    said: (size) =>
      decoded(
        fitOf(fit.define(3, 19, [[23, "enum"]]), ...many(size, () => fit.data(3, [[23, "enum"]], [0])), session),
        {},
      ),
    rule: /^fit\/too-many-laps/,
  },
  "fit-beats": {
    most: 432_000,
    // 250 to a message; the last ones by themselves.
    said(size) {
      const beats = (count: number): readonly fit.FieldSpec[] => [
        [6, "uint8", count],
        [10, "byte", 5],
      ];
      const message = (count: number) => fit.data(3, beats(count), [Array(count).fill(100), [1, 1, 1, 1, 1]]);
      const whole = Math.floor(size / 250);
      const rest = size % 250;
      const last = rest === 0 ? [] : [fit.define(3, 132, beats(rest)), message(rest)];
      return decoded(
        fitOf(
          fit.define(1, 20, RECORD),
          record(1),
          fit.define(3, 132, beats(250)),
          ...many(whole, () => message(250)),
          ...last,
          session,
        ),
        {},
      );
    },
    rule: /^fit\/too-many-beats/,
  },
  points: {
    most: 2_000_000,
    at: 5,
    said(size, points) {
      const gpx = firstError(decodeGpx(gpxOf(many(size, point).join("")), "scan", { ...TRACK_CAPS, points }).issues);
      const trackpoints = many(size, (n) => `<Trackpoint><Time>2020-05-01T06:00:0${n}Z</Time></Trackpoint>`).join("");
      const document = `<TrainingCenterDatabase><Activities><Activity Sport="Running"><Lap StartTime="2020-05-01T06:00:00Z"><Track>${trackpoints}</Track></Lap></Activity></Activities></TrainingCenterDatabase>`;
      const tcx = firstError(decodeTcx(document, "scan", { ...TRACK_CAPS, points }).issues);
      expect(tcx?.replace("tcx/", "gpx/")).toBe(gpx);
      return gpx;
    },
    rule: /^gpx\/too-many-points: more than 5 points, fewer; the first ones were read/,
  },
  "xml-depth": {
    most: 64,
    // Within gpx, trk, trkseg and the point itself.
    said: (size) =>
      xml(
        gpxOf(
          `<trkpt lat="1" lon="2">${"<a>".repeat(size - 4)}${"</a>".repeat(size - 4)}<time>2020-05-01T06:00:00Z</time></trkpt>`,
        ),
      ),
    rule: /^xml\/depth: 65 elements within each other, line 1 inside a, at most 64/,
  },
  "xml-attributes": {
    most: 64,
    said: (size) => xml(gpxOf(`${point(1)}<a ${many(size, (n) => `b${n}=""`).join(" ")}/>`)),
    rule: /^xml\/attributes: 65 attributes/,
  },
  "xml-name": {
    most: 256,
    said: (size) => xml(gpxOf(`${point(1)}<${"n".repeat(size)}/>`)),
    rule: /^xml\/name: a name of 257 characters/,
  },
  "xml-text": {
    most: MIB,
    said: (size) => xml(gpxOf(`${point(1)}<a>${"t".repeat(size)}</a>`)),
    rule: /^xml\/text: a text of 1048577 characters/,
  },
  "xml-doctype": {
    most: 0,
    said: (size) => xml(`${"<!DOCTYPE gpx>".repeat(Math.max(0, size))}${gpxOf(point(1))}`),
    rule: /^xml\/doctype: a document type, line 1, none: document types are not accepted/,
  },
  kml: {
    most: 2 * MIB,
    said(size) {
      const line = "<Placemark><LineString><coordinates>16,48 16,49</coordinates></LineString></Placemark>";
      const pad = size - `<kml>${line}</kml>`.length;
      const comment = `<!--${"x".repeat(1000)}-->`;
      const document = `<kml>${line}${comment.repeat(Math.floor(pad / comment.length))}${" ".repeat(pad % comment.length)}</kml>`;
      return firstError(decodeKml(Buffer.from(document), "scan").issues);
    },
    rule: /^kml\/too-large/,
  },
  "kml-tags": {
    most: 125_000,
    // Ten for the line itself.
    said(size) {
      const line = "<Placemark><LineString><coordinates>16,48 16,49</coordinates></LineString></Placemark>";
      return firstError(decodeKml(Buffer.from(`<kml>${line}${"<a/>".repeat(size - 8)}</kml>`), "scan").issues);
    },
    rule: /^kml\/too-many-tags: 125001 tags and comments, at most 125000/,
  },
  "csv-field": {
    most: MIB,
    said: (size) => csvRules(`a,b\n${"x".repeat(size)},y\nz,z\n`),
    rule: /^csv\/field-too-long/,
  },
  "csv-columns": {
    most: 1_000,
    said: (size) => csvRules(`a,b\n${",".repeat(size - 1)}\nz,z\n`),
    rule: /^csv\/too-many-columns/,
  },
  "csv-record": {
    most: 4 * MIB,
    said: (size) =>
      csvRules(`a,b\n${many(5, (n) => "x".repeat(n < 4 ? MIB - 1 : size - 4 * MIB + 4)).join(",")}\nz,z\n`),
    rule: /^csv\/record-too-long/,
  },
  mapping: {
    most: 64 * KIB,
    async said(size) {
      const table = inFolder("log.csv", "Date,km\n2020-05-01,10\n");
      const text =
        "version: 1\ndates:\n  order: iso\ncolumns:\n  Date: { field: date }\n  km: { field: distance, unit: km }\n#";
      const mapping = inFolder("other.yaml", text.padEnd(size, "#"));
      const named = await thrown(async () => {
        for (const { archive } of await openSources([table], mapping)) await archive.close();
      });
      const beside = memoryArchive("t", {
        "log.csv": "Date,km\n2020-05-01,10\n",
        "log.map.yaml": text.padEnd(size, "#"),
      });
      const { csv } = await import("../connectors/platforms/csv/connector.ts");
      const inArchive = await thrown(async () => {
        for await (const _ of csv.read(beside, { signal: calm(), report: () => {}, sports: new Map() }));
      });
      expect(inArchive === undefined).toBe(named === undefined);
      return inArchive;
    },
    rule: /^csv\/bad-mapping: Cannot use log\.map\.yaml: .*64 KiB/,
  },
  config: {
    most: 64 * KIB,
    said: (size) => thrown(() => readConfig(inFolder("config.yaml", "rate: 5\n#".padEnd(size, "#")))),
    rule: /it is longer than 64 KiB/,
  },
  login: {
    most: 64 * KIB,
    said: (size) =>
      thrown(() => readLogin(inFolder("login.json", '{"url":"https://log.example","token":"abc"}'.padEnd(size)))),
    rule: /it is longer than 64 KiB, so it is no login\. Remove it and log in again/,
  },
  "json-depth": {
    most: 64,
    said(size) {
      const parsed = parseJson(Buffer.from("[".repeat(size) + "]".repeat(size)));
      return parsed.kind === "json" ? undefined : parsed.found;
    },
    rule: /deeper than 64/,
  },
  answer: { most: MIB, said: (size) => answerOf(size, false), rule: /^api\/unreadable: .*longer than 1048576 bytes/ },
  listing: {
    most: 16 * MIB,
    said: (size) => answerOf(size, true),
    rule: /^api\/unreadable: .*longer than 16777216 bytes/,
  },
  "listing-entries": {
    most: 1_000_000,
    said: (size) => listed([Array(size - 500_000).fill(1), Array(500_000).fill(1)]),
    rule: /^api\/endless-listing: .*lists more than 1000000 entries/,
  },
  "listing-bytes": {
    most: 256 * MIB,
    said: (size) => listed([...many(15, () => ["x".repeat(16 * MIB - 4)]), ["x".repeat(size - 240 * MIB - 4)]]),
    rule: /^api\/endless-listing: .*lists more than 256 MB of entries/,
  },
  "listing-kept": {
    most: 64 * MIB,
    said: (size) => listed([["x".repeat(size - 4)]], 64 * MIB),
    rule: /^api\/endless-listing: .*lists more than 64 MB of entries/,
  },
  "server-json": {
    most: MIB,
    async said(size) {
      const body = Buffer.from('{"name":"a"}'.padEnd(size));
      const plain = await posted("/rest/logs/me/courses", "application/json", body);
      expect(await posted("/rest/logs/me/courses", "application/json", gzipSync(body), true)).toBe(plain);
      return plain;
    },
    rule: /^HTTP 413$/,
  },
  "server-values": {
    most: 70_000,
    // The body itself is one, and so is each comma and each bracket.
    said: (size) => refused({ id: Array(size - 2).fill(0) }),
    rule: /^HTTP 400: id: holds more than 70000 values/,
  },
  "server-members": {
    most: 200,
    said: (size) => refused({ id: numbered(size) }),
    rule: /^HTTP 400: id: has an object of more than 200 members/,
  },
  "server-depth": {
    most: 64,
    said: (size) => refused(`{"name":"a","id":${"[".repeat(size - 1)}${"]".repeat(size - 1)}}`),
    rule: /^HTTP 400: id: holds more than 64 objects and arrays/,
  },
  "server-intervals": {
    most: 10_000,
    said: (size) => refused({ intervalSet: { intervals: Array(size).fill({ duration: 90.5 }) } }, "workouts"),
    rule: /^HTTP 400: intervalSet\.intervals: takes at most 10000/,
  },
  "server-text": {
    most: 500,
    said: (size) => refused({ name: "x".repeat(size) }),
    rule: /^HTTP 400: name: must not have more than 500 characters/,
  },
  "server-notes": {
    most: 65_536,
    said: (size) => refused({ notes: "x".repeat(size) }),
    rule: /^HTTP 400: notes: must not have more than 65536 characters/,
  },
  "server-flags": {
    most: 100,
    said: (size) => refused({ surfaces: numbered(size, true) }),
    rule: /^HTTP 400: surfaces: takes at most 100/,
  },
  "server-file": {
    most: 64 * MIB,
    async said(size) {
      const body = Buffer.alloc(size, "x");
      const plain = await posted("/rest/logs/me/workouts/gpx", "application/gpx+xml", body);
      expect(
        await posted("/rest/logs/me/workouts/gpx", "application/gpx+xml", gzipSync(body, { level: 1 }), true),
      ).toBe(plain);
      return plain;
    },
    rule: /^HTTP 413$/,
  },
};

test("every limit of the page is tried, and nothing else", () => {
  expect(Object.keys(TRIALS)).toEqual(LIMIT_ROWS.map(({ id }) => id));
});

describe.each(LIMIT_ROWS)("$of", ({ id, value }) => {
  const { most, at = most, said, rule } = TRIALS[id] as Trial;

  test(`is ${most}`, () => {
    expect(value).toBe(most);
  });

  test(`one below ${at} and ${at} itself pass, one above doesn't and says why`, async () => {
    expect(await said(at - 1, at)).toBeUndefined();
    expect(await said(at, at)).toBeUndefined();
    expect(await said(at + 1, at)).toMatch(rule);
  });
});

test("100,001 files in a zip are refused in a moment, at the real limit", async () => {
  const zip = zipBytes(many(100_001, (n) => ({ name: `${n}`, stored: true })));
  expect(await thrown(() => opened(zip, {}))).toMatch(/^archive\/too-many-entries: .*more than 100000 files/);
});
