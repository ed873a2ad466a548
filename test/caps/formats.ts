/** The limits of device files, XML, tables, and of the files a person writes for logferry. */
import { expect } from "vitest";
import { readConfig } from "../../cli/arguments/config.ts";
import { readLogin } from "../../cli/login/credentials.ts";
import { memoryArchive } from "../../connectors/containers/memory.ts";
import { readCsv } from "../../connectors/formats/csv/read.ts";
import { decodeDeviceFile } from "../../connectors/formats/device-file.ts";
import { decodeFit } from "../../connectors/formats/fit/decode.ts";
import { FIT_CAPS, type FitCaps } from "../../connectors/formats/fit/structure.ts";
import { decodeGpx } from "../../connectors/formats/gpx/decode.ts";
import { decodeKml } from "../../connectors/formats/kml/decode.ts";
import { decodeTcx } from "../../connectors/formats/tcx/decode.ts";
import { TRACK_CAPS } from "../../connectors/formats/xml/track.ts";
import { csv } from "../../connectors/platforms/csv/connector.ts";
import { readTable } from "../../connectors/platforms/table/reading/read-table.ts";
import { type MadeCell, packed, xlsxParts } from "../../fixtures/make/workbook.ts";
import { openSources } from "../../pipelines/sources/sources.ts";
import { readAll } from "../suites/fixture-cases.ts";
import { calm } from "../support/api.ts";
import * as fit from "../support/fit-bytes.ts";
import { zipBytes } from "../support/zip-bytes.ts";
import { firstError, inFolder, KIB, MIB, many, type Trial, thrown } from "./trial.ts";

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

const textCell = (place: string, text: string) => `<c r="${place}" t="inlineStr"><is><t>${text}</t></is></c>`;

/** What is said of the rows of a workbook. */
async function sheetRules(
  rows: readonly (readonly MadeCell[])[],
  change = (xml: string) => xml,
): Promise<string | undefined> {
  const parts = xlsxParts([{ name: "Log", rows }]);
  const path = "xl/worksheets/sheet1.xml";
  // Not packed, because text of one letter is packed like a bomb.
  const stored = Object.entries({ ...parts, [path]: change(parts[path] ?? "") }).map(([name, content]) => ({
    name,
    content,
    stored: true,
  }));
  const archive = memoryArchive("t", { "t.xlsx": zipBytes(stored) });
  for await (const row of readTable(archive, { path: "t.xlsx", sizeBytes: undefined }))
    if ("error" in row) return row.error.rule;
  return undefined;
}

/** By the row of docs/limits.md. */
export const FORMATS: Readonly<Record<string, Trial>> = {
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
    // 250 to a message. The last ones are in a message of their own.
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
    // These elements count too: gpx, trk, trkseg and the point itself.
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
    // The line itself takes ten.
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
  "csv-quoted": {
    most: 16 * MIB,
    // A shorter text is too long for a cell already, and costs its row alone.
    async said(size) {
      const said = await csvRules(`a,b\n"${"x".repeat(size)}",y\nz,z\n`);
      return said?.startsWith("csv/field-too-long") ? undefined : said;
    },
    rule: /^csv\/unclosed-quote/,
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
  "sheet-cell": {
    most: MIB,
    said: (size) => sheetRules([[{ raw: textCell("@", "x".repeat(size)) }]]),
    rule: /^sheet\/cell-too-long/,
  },
  "sheet-columns": {
    most: 1000,
    said: (size) => sheetRules([many(size, (index) => index)]),
    rule: /^sheet\/too-many-columns/,
  },
  "sheet-row": {
    most: 4 * MIB,
    said: (size) =>
      sheetRules([many(8, (at) => ({ raw: textCell("@", "x".repeat(at === 0 ? size - 7 * (MIB / 2) : MIB / 2)) }))]),
    rule: /^sheet\/row-too-long/,
  },
  "sheet-rows": {
    most: MIB,
    said: (size) =>
      sheetRules([[{ raw: "@" }]], (xml) => xml.replace(/<row.*<\/row>/s, `<row r="${size}"><c><v>1</v></c></row>`)),
    rule: /^sheet\/row-order/,
  },
  sheets: {
    most: 1000,
    async said(size) {
      const sheets = many(size, (index) => ({ name: `s${index}`, rows: [["x"]] }));
      const mapping = "version: 1\nfile: { sheet: s0 }\ndates: { order: iso }\ncolumns: { x: { field: date } }\n";
      const archive = memoryArchive("t", { "t.xlsx": packed(xlsxParts(sheets)), "t.map.yaml": mapping });
      const { issues } = await readAll(csv, archive);
      return issues.map(({ rule }) => rule).find((rule) => rule === "csv/too-many-sheets");
    },
    rule: /^csv\/too-many-sheets/,
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
      const { csv } = await import("../../connectors/platforms/csv/connector.ts");
      const inArchive = await thrown(async () => {
        for await (const _ of csv.read(beside, { signal: calm(), report: () => {}, sports: new Map() }));
      });
      expect(inArchive === undefined).toBe(named === undefined);
      return inArchive;
    },
    rule: /^csv\/bad-mapping: Cannot use log\.map\.yaml: .*64 KiB/,
  },
  pattern: {
    most: 500,
    said(size) {
      // The group and the ends of the pattern are four steps.
      const mapping = `version: 1\ndates: { order: iso }\ncolumns: { Date: { field: date }, N: { split: "(?P<notes>a{${size - 4}})" } }\n`;
      const archive = memoryArchive("t", { "t.csv": "Date,N\n2020-05-01,a\n", "t.map.yaml": mapping });
      return thrown(() => readAll(csv, archive));
    },
    rule: /^csv\/bad-mapping: .*columns\.N\.split\.0: expected a smaller pattern: it has \d+ steps, and may have 500/,
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
};
