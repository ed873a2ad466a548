/**
 * Every reader of files that strangers write: its sound inputs, how they are damaged, and the errors it may answer with. `run.ts` gives each reader
 * thousands of damaged inputs.
 */
import { gunzipSync, gzipSync } from "node:zlib";
import { parseConfig } from "../../cli/arguments/config-file.ts";
import { UsageError } from "../../cli/errors/exit-codes.ts";
import { parseLogin } from "../../cli/login/credentials.ts";
import { codePasted } from "../../connectors/api/oauth.ts";
import { redactor } from "../../connectors/api/redact.ts";
import { retryAfterMs } from "../../connectors/api/retry-after.ts";
import { streamUnpacked, ungzip } from "../../connectors/containers/gzip.ts";
import { memoryArchive } from "../../connectors/containers/memory.ts";
import { openZipBytes } from "../../connectors/containers/zip.ts";
import { readCsv } from "../../connectors/formats/csv/read.ts";
import { readPdd } from "../../connectors/formats/hrm/day.ts";
import { readHrm } from "../../connectors/formats/hrm/read.ts";
import { type JsonPlace, jsonEach } from "../../connectors/formats/json/each.ts";
import { JsonError } from "../../connectors/formats/json/parts.ts";
import { withoutSeries } from "../../connectors/formats/json/without-series.ts";
import { decodeKml } from "../../connectors/formats/kml/decode.ts";
import { decodeStream, decodeText } from "../../connectors/formats/text.ts";
import { XmlError, xmlEach } from "../../connectors/formats/xml/each.ts";
import { csv } from "../../connectors/platforms/csv/connector.ts";
import { parseMapping } from "../../connectors/platforms/csv/mapping.ts";
import { deviceFiles } from "../../connectors/platforms/device-files/connector.ts";
import { logferryExport } from "../../connectors/platforms/logferry-export/connector.ts";
import { strava } from "../../connectors/platforms/strava/table.ts";
import { describeArchive } from "../../pipelines/structure/structure.ts";
import { printable } from "../../transforms/text/printable.ts";
import { zipBytes } from "../support/zip-bytes.ts";
import { fromFixtures } from "./from-fixtures.ts";
import * as operators from "./operators.ts";
import { PLATFORMS } from "./platforms.ts";
import type { Random } from "./random.ts";
import { askLog, devices, drained, ofArchive, ofSource, ofTransfer, PENDING, readBy, unless } from "./reading.ts";
import { ANSWERS, fitSeeds, fixture, GPX, KML, SHEETS, TCX, text } from "./seeds.ts";
import { CSV_WORDS, FIT_WORDS, GZIP_WORDS, JSON_WORDS, XML_WORDS, YAML_WORDS, ZIP_WORDS } from "./words.ts";
import { WORKBOOKS } from "./workbooks.ts";

/** One reader. */
export interface Parser {
  readonly name: string;
  /** Sound inputs. They are made on demand: a run of one parser needs only its own. */
  seeds(): readonly Uint8Array[];
  /** How inputs are damaged, besides blindly. */
  readonly damage: readonly operators.Operator[];
  /** Words of its language, to be put anywhere. */
  readonly words: readonly string[];
  /** Reads an input. Throws only what `mayThrow` knows. */
  read(input: Buffer, random: Random): unknown;
  /** Whether an error is one of its own. Without it the reader may throw no error. */
  mayThrow?(error: unknown): boolean;
}

/** The readers, in the order of their formats. */
export const PARSERS: readonly Parser[] = [
  { name: "fit-scan", seeds: fitSeeds, damage: operators.FIT, words: FIT_WORDS, read: devices("scan") },
  { name: "fit-decode", seeds: fitSeeds, damage: operators.FIT, words: FIT_WORDS, read: devices("decode") },
  { name: "gpx-scan", seeds: () => GPX, damage: operators.XML, words: XML_WORDS, read: devices("scan") },
  { name: "gpx-decode", seeds: () => GPX, damage: operators.XML, words: XML_WORDS, read: devices("decode") },
  { name: "tcx-scan", seeds: () => TCX, damage: operators.XML, words: XML_WORDS, read: devices("scan") },
  { name: "tcx-decode", seeds: () => TCX, damage: operators.XML, words: XML_WORDS, read: devices("decode") },
  {
    name: "kml",
    seeds: () => KML,
    damage: operators.XML,
    words: XML_WORDS,
    read: (input) => decodeKml(input, "decode"),
  },
  {
    name: "hrm",
    seeds: () =>
      ["hrm-alone/archive/miles.hrm", "hrm-alone/archive/old.hrm", "protrainer/archive/Anna/2007/20070519.pdd"].map(
        (path) => fixture(`polar-before-flow/${path}`),
      ),
    damage: operators.TEXT,
    words: [
      "[HRData]",
      "[IntTimes]",
      "[DayInfo]",
      "[ExerciseInfo1]",
      "Interval=238",
      "SMode=111111111",
      "101\t9\t999999999\t6\t12",
      "\r",
    ],
    async read(input, random) {
      const size = random.of([1, 7, 100_000]);
      async function* pieces() {
        for (let from = 0; from < input.length; from += size) yield input.subarray(from, from + size);
      }
      await readHrm(pieces(), () => {});
      await readPdd(pieces(), () => {});
    },
  },
  {
    name: "csv",
    seeds: () =>
      text(
        'date,km,note\n2020-05-01,10,"a, ""b"""\n2020-05-02,11,c\n',
        "sep=;\r\na;b\r\n1;2\r\n",
        "a\tb\r1\t2\r",
        "\ufeffä,ö\n1,2",
      ),
    damage: operators.TEXT,
    words: CSV_WORDS,
    async read(input, random) {
      const limits = random.once(2) ? { fieldLength: 20, columns: 4, recordLength: 40 } : {};
      async function* pieces() {
        yield input;
      }
      for await (const _ of readCsv(pieces(), { limits }));
    },
  },
  {
    name: "csv-archive",
    seeds: () => SHEETS.map((path) => fixture(`csv/${path}.csv`).subarray(0, 300)),
    damage: operators.TEXT,
    words: CSV_WORDS,
    read(input) {
      const head = input.toString("latin1", 0, 60);
      const mapping = head.includes("Datum") ? SHEETS[0] : head.includes("Start Time") ? SHEETS[1] : SHEETS[2];
      return readBy(csv, memoryArchive("t", { "t.csv": input, "t.map.yaml": fixture(`csv/${mapping}.map.yaml`) }));
    },
    mayThrow: ofSource,
  },
  {
    name: "mapping",
    seeds: () => SHEETS.map((path) => fixture(`csv/${path}.map.yaml`)),
    damage: operators.TEXT,
    words: YAML_WORDS,
    read: (input) => parseMapping("t.map.yaml", decodeText(input).text),
  },
  {
    name: "strava",
    seeds: () => {
      const header =
        "Activity ID,Activity Date,Activity Name,Activity Type,Activity Description,Elapsed Time,Distance,Commute,Activity Gear,Filename";
      return text(
        `${header}\n1,"May 1, 2019, 6:00:00 AM",Run,Run,,3600,10.5,false,Shoe,activities/1.gpx\n2,"2 May 2019, 18:00:00",Ride,Ride,x,60,1,false,,\n`,
        "id,date,name,type,description,elapsed_time,distance,commute,gear,filename\n1,2018-05-01 06:00:00,Run,Run,,3600,10500,false,,\n",
      );
    },
    damage: operators.TEXT,
    words: [...CSV_WORDS, "activities/1.gpx", "../1.gpx", "Activity Date", "Filename"],
    read: (input) =>
      readBy(strava, memoryArchive("e", { "activities.csv": input, "activities/1.gpx": GPX[0] as Buffer })),
    mayThrow: ofSource,
  },
  {
    name: "json-each",
    seeds: () => [fixture("nike/list/archive/activities.json"), ...text('[{"activities": [{"a": [1, "]"]}]}, {}]')],
    damage: operators.TEXT,
    words: [...JSON_WORDS, '"activities"'],
    async read(input, random) {
      const size = random.of([1, 7, 100, 100_000]);
      async function* pieces() {
        for (let from = 0; from < input.length; from += size) yield input.subarray(from, from + size);
      }
      const place: JsonPlace = random.of([["activities", "*"], ["*", "activities", "*"], ["*"], []]);
      await drained(
        jsonEach(
          decodeStream(pieces(), () => {}),
          place,
        ),
      );
    },
    mayThrow: (error) => error instanceof JsonError,
  },
  {
    name: "json-without-series",
    seeds: () => text('{"a": [{"samples": {"hr": [1, NaN, {"samples": 2}]}}], "samples": [], "b": "samples"}'),
    damage: operators.TEXT,
    words: [...JSON_WORDS, '"samples"', "NaN"],
    async read(input, random) {
      const size = random.of([1, 7, 100, 100_000]);
      async function* pieces() {
        for (let from = 0; from < input.length; from += size) yield input.toString("utf8", from, from + size);
      }
      await drained(
        withoutSeries(pieces(), random.of([{ named: ["samples"] }, { named: [], summarised: ["samples"] }])),
      );
    },
  },
  {
    name: "xml-each",
    seeds: () => text('<!DOCTYPE a [<!ELEMENT a>]><a><b c="1">x<d e="2"/><d>é</d></b><b/><f><b>&amp;</b></f></a>'),
    damage: operators.TEXT,
    words: ["<!DOCTYPE", "]>", "<![CDATA[", "<!--", "-->", "&x;", "&#0;", "<b>", "</b>", "<a", 'c="', "/>"],
    async read(input, random) {
      const size = random.of([1, 7, 100, 100_000]);
      async function* pieces() {
        for (let from = 0; from < input.length; from += size) yield input.subarray(from, from + size);
      }
      const path = random.of([["a", "b"], ["*"], ["a", "*", "b"], ["a", "b", "d"]]);
      await drained(xmlEach(pieces(), { path, skips: random.of([[], ["d"]]) }, () => {}));
    },
    mayThrow: (error) => error instanceof XmlError,
  },
  ...PLATFORMS,
  ...WORKBOOKS,
  {
    name: "logferry-export",
    seeds: () => [
      fixture("logferry-export/json/archive/log.json"),
      // Its head, and one of each kind.
      gunzipSync(fixture("logferry-export/ndjson-gz/archive/log.ndjson.gz"))
        .toString()
        .split("\n")
        .filter((_, line) => [0, 1, 2, 3, 7, 10, 14, 50].includes(line))
        .map((line) => Buffer.from(`${line}\n`))
        .reduce((all, line) => Buffer.concat([all, line])),
    ],
    damage: operators.TEXT,
    words: [...JSON_WORDS, '"kind":', '"workouts":[', '"version":'],
    read: (input, random) =>
      readBy(logferryExport, memoryArchive("e", { [random.of(["log.json", "log.ndjson"])]: input })),
    mayThrow: ofSource,
  },
  {
    name: "structure",
    seeds: () => [
      ...text(
        '{"a":[{"id":1,"t":"2019-05-05T06:30:00Z"},{"id":2,"x":null}]}\n',
        "<pwx a='1'><b>2</b><b/></pwx>",
        "Date;km\n1.5.2019;3,5\n",
      ),
      fixture("device-files/fit/archive/2019-05-05-09-30-00.fit"),
    ],
    damage: [...operators.TEXT, ...operators.FIT],
    words: JSON_WORDS,
    read: (input) =>
      describeArchive(memoryArchive("e", { "a.b": input }), new AbortController().signal, () => undefined),
  },
  {
    name: "zip",
    seeds: () => [
      zipBytes(
        [
          { name: "a.fit", content: "words ".repeat(30) },
          { name: "b.csv", content: "a,b\n1,2\n", stored: true },
        ],
        { comment: "c" },
      ),
      zipBytes([{ name: "ä.gpx", content: "x", zip64: true }], { zip64: true, before: Buffer.from("MZ") }),
    ],
    damage: operators.ZIP,
    words: ZIP_WORDS,
    async read(input) {
      const archive = await openZipBytes(input, "x.zip");
      for (const entry of archive.entries()) {
        await archive.read(entry).catch(unless(ofArchive));
        await drained(archive.stream(entry)).catch(unless(ofArchive));
      }
      await archive.close();
    },
    mayThrow: ofArchive,
  },
  {
    name: "nested",
    seeds: () => {
      const inner = zipBytes([{ name: "b.fit.gz", content: gzipSync(fitSeeds()[0] as Buffer), stored: true }]);
      const kmz = zipBytes([{ name: "doc.kml", content: KML[0] as Buffer }]);
      return [
        zipBytes([
          { name: "in.zip", content: inner, stored: true },
          { name: "a.gpx", content: GPX[0] as Buffer },
          { name: "m.kmz", content: kmz, stored: true },
        ]),
        zipBytes([
          { name: "packed.zip", content: inner },
          { name: "c.fit", content: fitSeeds()[1] as Buffer, stored: true },
        ]),
      ];
    },
    damage: operators.ZIP,
    words: [...ZIP_WORDS, ...GZIP_WORDS],
    async read(input) {
      const archive = await openZipBytes(input, "x.zip");
      try {
        await readBy(deviceFiles, archive);
      } finally {
        await archive.close();
      }
    },
    mayThrow: ofArchive,
  },
  {
    name: "gzip",
    seeds: () => [
      gzipSync("words ".repeat(40)),
      Buffer.concat([gzipSync("a"), gzipSync("b")]),
      gzipSync(gzipSync("twice")),
    ],
    damage: [],
    words: GZIP_WORDS,
    async read(input) {
      const archive = memoryArchive("x", { "a.gz": input });
      const entry = archive.entry("a.gz");
      let whole: Uint8Array | undefined;
      try {
        whole = ungzip(input, "a.gz").bytes;
      } catch (error) {
        unless(ofArchive)(error);
      }
      const pieces: Uint8Array[] = [];
      if (entry === undefined) return;
      for await (const piece of streamUnpacked(archive, entry, () => {})) pieces.push(piece);
      if (whole !== undefined && !Buffer.concat(pieces).equals(whole))
        throw new Error("in pieces it is not what it is whole");
    },
    mayThrow: ofArchive,
  },
  {
    name: "text",
    seeds: () => [...text("aä€😀", "\ufeffab"), Buffer.from("\ufeffabä", "utf16le"), Buffer.from([0xe4, 0x41, 0xf6])],
    damage: [],
    words: ["\xff\xfe", "\xfe\xff", "\xef\xbb\xbf", "\0", "\xc3", "\xed\xa0\x80"],
    read(input, random) {
      const { text: found } = decodeText(input, random.of([undefined, "utf-16", "latin1", "x\0y"]));
      const shown = printable(found, random.of([1, 20, 200]));
      if (/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/.test(shown))
        throw new Error("something unprintable was shown");
    },
  },
  {
    name: "api-answers",
    seeds: () => ANSWERS,
    damage: operators.TEXT,
    words: JSON_WORDS,
    read: askLog,
    mayThrow: ofTransfer,
  },
  {
    name: "retry-after",
    seeds: () => text("120", "Wed, 21 Oct 2026 07:28:00 GMT", "Wednesday, 21-Oct-26 07:28:00 GMT", "soon"),
    damage: operators.TEXT,
    words: ["-", "e9", " GMT", "999999999999", "Feb 30", "\0"],
    read(input) {
      const [header, date] = input.toString("latin1").split("|");
      const wait = retryAfterMs(header, date, 1.6e12);
      if (wait !== undefined && !(Number.isFinite(wait) && wait >= 0)) throw new Error(`a wait of ${wait} ms`);
    },
  },
  {
    name: "redactor",
    seeds: () => text("GET /x?access_token=SECRET&a=1", '{"a":"SECRET"}', "code=SECRET&state=x"),
    damage: operators.TEXT,
    words: ["SECRET", "access_token=", "client_secret=", "code=", "%", "&", '\\"', "=", "\u{1f600}"],
    read(input, random) {
      const secret = random.of(["c4nary+/=", 'c4n"ary-yellow', "c4nary%41", "c4näry😀yellow", "c4naryyellow"]);
      const spelt = random.of([
        secret,
        encodeURIComponent(secret),
        Buffer.from(secret).toString("base64"),
        JSON.stringify(secret).slice(1, -1),
      ]);
      const clean = redactor([secret])(input.toString("utf8").replaceAll("SECRET", () => spelt));
      if (clean.includes(spelt)) throw new Error("a secret was left");
    },
  },
  {
    name: "config",
    seeds: () =>
      text(
        "url: https://log.example\nrate: 5\nsports:\n  Nordic Walking: walk\nactivities:\n  walk: 14\nworkout-types:\n  run:\n    easy: 1\n",
        "since: 2023\nno-tracks: true\n",
      ),
    damage: operators.TEXT,
    words: [...YAML_WORDS, "rate:", "sports:", "activities:", "profile:"],
    read: (input) => parseConfig(input.toString("utf8"), "config.yaml"),
    mayThrow: (error) => error instanceof UsageError,
  },
  {
    name: "credentials",
    seeds: () =>
      text(
        '{"url":"https://log.example","token":"c4nary","name":"n"}',
        '{"url":"u","keyring":"secret-tool","entry":"e-1"}',
      ),
    damage: operators.TEXT,
    words: [...JSON_WORDS, '"token":', '"keyring":', '"url":'],
    async read(input) {
      const login = parseLogin(input.toString("utf8"), "default.json");
      if (login.token === undefined && login.keyring === undefined) throw new Error("a login without a token");
    },
    mayThrow: (error) => error instanceof UsageError && !error.message.includes("c4nary"),
  },
  {
    name: "pasted-code",
    seeds: () =>
      text(
        "c0de",
        "code=abc&state=s",
        "http://localhost/?code=abc&state=s",
        "error=access_denied&error_description=no",
      ),
    damage: operators.TEXT,
    words: ["code=", "&state=", "%00", "%", "\x1b[2J", "?", "#"],
    read: (input) => codePasted(PENDING, input.toString("utf8")),
    mayThrow: ofTransfer,
  },
];

/** Readers of the other platforms, with the files of their fixtures. */
export const OTHERS: readonly Parser[] = await fromFixtures(PARSERS.map(({ name }) => name));
