/**
 * Every reader of what strangers write: what it is given when nothing is wrong, how it is damaged, and which errors it may answer
 * with. `run.ts` gives each of them thousands of damaged inputs.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { parseConfig } from "../../cli/arguments/config.ts";
import { UsageError } from "../../cli/errors/exit-codes.ts";
import { parseLogin, readToken } from "../../cli/login/credentials.ts";
import * as client from "../../connectors/api/client.ts";
import type { Clock } from "../../connectors/api/clock.ts";
import { openConnection } from "../../connectors/api/connection.ts";
import type { Outcome } from "../../connectors/api/exchange.ts";
import * as fromWire from "../../connectors/api/from-wire.ts";
import { listAllCourses, listAllWorkouts, markedEquipment } from "../../connectors/api/listing.ts";
import { codePasted, OUT_OF_BAND, type PendingLogin } from "../../connectors/api/oauth.ts";
import { redactor } from "../../connectors/api/redact.ts";
import { retryAfterMs } from "../../connectors/api/retry-after.ts";
import { readLog } from "../../connectors/api/source.ts";
import type { Archive } from "../../connectors/containers/archive.ts";
import { ArchiveError } from "../../connectors/containers/archive-error.ts";
import { streamUnpacked, ungzip } from "../../connectors/containers/gzip.ts";
import { memoryArchive } from "../../connectors/containers/memory.ts";
import { openZipBytes } from "../../connectors/containers/zip.ts";
import type { Connector } from "../../connectors/contract.ts";
import { FatalError, TransferError } from "../../connectors/errors.ts";
import { readCsv } from "../../connectors/formats/csv/read.ts";
import { decodeDeviceFile, streamDeviceFile } from "../../connectors/formats/device-file.ts";
import { type JsonPlace, jsonEach } from "../../connectors/formats/json/each.ts";
import { JsonError } from "../../connectors/formats/json/parts.ts";
import { decodeKml } from "../../connectors/formats/kml/decode.ts";
import { decodeStream, decodeText } from "../../connectors/formats/text.ts";
import { csv } from "../../connectors/platforms/csv/connector.ts";
import { parseMapping } from "../../connectors/platforms/csv/mapping.ts";
import { deviceFiles } from "../../connectors/platforms/device-files/connector.ts";
import { garmin } from "../../connectors/platforms/garmin/table.ts";
import { logferryExport } from "../../connectors/platforms/logferry-export/connector.ts";
import { nike } from "../../connectors/platforms/nike/table.ts";
import { runkeeper } from "../../connectors/platforms/runkeeper/table.ts";
import { strava } from "../../connectors/platforms/strava/connector.ts";
import { describeArchive } from "../../pipelines/structure/structure.ts";
import { printable } from "../../transforms/text/printable.ts";
import * as fit from "../support/fit-bytes.ts";
import { zipBytes } from "../support/zip-bytes.ts";
import * as operators from "./operators.ts";
import type { Random } from "./random.ts";

/** One reader. */
export interface Parser {
  readonly name: string;
  /** Sound inputs. Made when asked for: a run of one parser needs no others. */
  seeds(): readonly Uint8Array[];
  /** How inputs are damaged besides blindly. */
  readonly damage: readonly operators.Operator[];
  /** Words of its language, to be put anywhere. */
  readonly words: readonly string[];
  /** Reads an input. Throws only what `mayThrow` knows. */
  read(input: Buffer, random: Random): unknown;
  /** Whether an error is one of its own. Left out: it has none. */
  mayThrow?(error: unknown): boolean;
}

const FIXTURES = join(import.meta.dirname, "..", "..", "fixtures");
const fixture = (path: string) => readFileSync(join(FIXTURES, path));
const NIKE_RUN = "nike/a-file-each/archive/activities/0a1b2c3d-0000-4000-9000-000000000000.json";
const text = (...parts: readonly string[]) => parts.map((part) => Buffer.from(part));

// What each language is made of, and what none expects.
const JSON_WORDS = [
  '"__proto__":',
  '"constructor":',
  '"prototype":',
  '"toString":',
  "{",
  "}",
  "[",
  "]",
  '"',
  ":",
  ",",
  "null",
  "1e400",
  "-0",
  "12345678901234567890",
  "\\ud800",
  "\\u0000",
  '"id":""',
  '"data":',
  '"entries":[',
  '"code":1',
  "\0",
  "[[[[[[[[[[",
];
const XML_WORDS = [
  "<",
  ">",
  "/>",
  "</",
  "&",
  "&#0;",
  "&#x10FFFF;",
  "<!DOCTYPE a>",
  "<![CDATA[",
  "]]>",
  "<!--",
  "-->",
  '="',
  "xmlns:a=",
  "\0",
  "\x1b[2J",
  "\ufeff",
];
const YAML_WORDS = [
  "__proto__:",
  "constructor:",
  "&a ",
  "*a",
  "<<: *a",
  "? ",
  "- ",
  "!!js/function ",
  "!!binary ",
  "|",
  ">",
  "{",
  "[",
  "\t",
  "---\n",
  "...\n",
  "%YAML 9.9\n",
  "'",
  '"',
  "#",
  "~",
  "0x1",
  ".inf",
  "12e03",
  "\0",
];
const CSV_WORDS = [
  '"',
  '""',
  ",",
  ";",
  "\t",
  "\r",
  "\n",
  "\r\n",
  "\0",
  "sep=;\n",
  "=1+1",
  "__proto__",
  "\ufeff",
  "1.234,5",
  "31.02.2020",
];
const ZIP_WORDS = [
  "PK\x03\x04",
  "PK\x01\x02",
  "PK\x05\x06",
  "PK\x06\x06",
  "PK\x06\x07",
  "../",
  "\\",
  "/",
  "\0",
  ".zip",
  "\x1f\x8b\x08",
];
const GZIP_WORDS = ["\x1f\x8b\x08\0", "\x1f\x8b\x08\x04\0\0\0\0\0\0\xff\xff", "\x1f\x8b\x08\x1f", "\0"];
const FIT_WORDS = [
  ".FIT",
  "\x40\0\0\x14\0\0",
  "\x40\0\x01\x12\0\xff",
  "\x0e\x10",
  "\xff\xff\xff\xff",
  "\xfd\x04\x86",
  "\x00\xff\x07",
];

const T = 1_000_000_000;

/** A run of three records, a lap and a session, with positions, and one with a developer field and packed times. */
function fitSeeds(): Buffer[] {
  const record: readonly fit.FieldSpec[] = [
    [253, "uint32"],
    [0, "sint32"],
    [1, "sint32"],
    [5, "uint32"],
    [3, "uint8"],
    [2, "uint16"],
  ];
  const short: readonly fit.FieldSpec[] = [
    [3, "uint8"],
    [13, "sint8"],
  ];
  const messages = [
    fit.once(0, 0, [
      [0, "enum", 4],
      [1, "uint16", 1],
      [2, "uint16", 2],
      [3, "uint32z", 77],
      [4, "uint32", T],
    ]),
    fit.define(1, 20, record),
    ...[0, 1, 2].map((n) => fit.data(1, record, [T + n, 570_000_000 + 900 * n, 190_000_000, 300 * n, 140 + n, 3000])),
    fit.once(2, 21, [
      [253, "uint32", T + 2],
      [0, "enum", 0],
      [1, "enum", 4],
    ]),
    fit.once(3, 19, [
      [253, "uint32", T + 2],
      [2, "uint32", T],
      [7, "uint32", 2000],
      [9, "uint32", 600],
      [23, "enum", 0],
    ]),
    fit.once(4, 18, [
      [253, "uint32", T + 2],
      [2, "uint32", T],
      [5, "enum", 1],
      [7, "uint32", 2000],
      [8, "uint32", 2000],
      [9, "uint32", 600],
      [25, "uint16", 0],
      [26, "uint16", 1],
    ]),
    fit.once(5, 34, [
      [253, "uint32", T + 2],
      [5, "uint32", T + 3602],
    ]),
  ];
  const developer = [
    fit.once(0, 0, [
      [0, "enum", 4],
      [4, "uint32", T],
    ]),
    fit.once(6, 206, [
      [0, "uint8", 0],
      [1, "uint8", 0],
      [2, "uint8", 2],
      [3, "string", "hr\0"],
    ]),
    fit.define(1, 20, [[253, "uint32"]], { developer: [[0, 1, 0]] }),
    Uint8Array.of(1, 0, 0xca, 0x9a, 0x3b, 150),
    fit.define(2, 20, short, { bigEndian: true }),
    fit.packed(2, 3, short, [140, 20]),
    fit.packed(2, 31, short, [141, 21]),
    // Heart rates of a strap, six at a time.
    fit.once(3, 132, [
      [253, "uint32", T],
      [9, "uint32", 1024],
      [6, "uint8", [80, 81, 82]],
      [10, "byte", [1, 2, 3]],
    ]),
  ];
  const first = Buffer.from(fit.fitFile(messages));
  const second = Buffer.from(fit.fitFile(developer, { headerBytes: 12 }));
  return [first, second, Buffer.concat([first, second]), Buffer.from(fit.fitFile([]))];
}

const GPX = text(
  `<?xml version="1.0"?><gpx version="1.1" creator="x" xmlns="http://www.topografix.com/GPX/1/1"><trk><name>a &amp; b</name><type>run</type><trkseg>
<trkpt lat="48.1" lon="16.3"><ele>200</ele><time>2020-05-01T06:00:00Z</time><extensions><a:TrackPointExtension xmlns:a="u"><a:hr>140</a:hr></a:TrackPointExtension></extensions></trkpt>
<trkpt lat="48.2" lon="16.4"><time>2020-05-01T06:00:01+02:00</time></trkpt></trkseg></trk><wpt lat="1" lon="2"/></gpx>`,
  `<gpx:gpx version="1.0" xmlns:gpx="u"><gpx:rte><gpx:name><![CDATA[<r>]]></gpx:name><gpx:rtept lat="1" lon="2"/><gpx:rtept lat="1" lon="3"/></gpx:rte></gpx:gpx>`,
);
const TCX = text(
  `<?xml version="1.0"?><TrainingCenterDatabase><Activities><Activity Sport="Running"><Id>2020-05-01T06:00:00Z</Id><Lap StartTime="2020-05-01T06:00:00Z"><TotalTimeSeconds>10</TotalTimeSeconds><DistanceMeters>30</DistanceMeters><Calories>5</Calories><AverageHeartRateBpm><Value>140</Value></AverageHeartRateBpm><Intensity>Active</Intensity><TriggerMethod>Manual</TriggerMethod><Track>
<Trackpoint><Time>2020-05-01T06:00:00Z</Time><Position><LatitudeDegrees>48.1</LatitudeDegrees><LongitudeDegrees>16.3</LongitudeDegrees></Position><DistanceMeters>0</DistanceMeters><HeartRateBpm><Value>139</Value></HeartRateBpm></Trackpoint></Track></Lap><Creator xsi:type="Device_t"><Name>W</Name><UnitId>1</UnitId></Creator></Activity></Activities></TrainingCenterDatabase>`,
  `<TrainingCenterDatabase><Courses><Course><Name>c</Name><Lap><DistanceMeters>9</DistanceMeters></Lap><Track><Trackpoint><Position><LatitudeDegrees>1</LatitudeDegrees><LongitudeDegrees>2</LongitudeDegrees></Position></Trackpoint></Track></Course></Courses></TrainingCenterDatabase>`,
);
const KML = text(
  `<kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="g"><Document><Placemark><name>l</name><LineString><coordinates>16,48,1 16.1,48.1,2</coordinates></LineString></Placemark><Placemark><gx:Track><when>2020-05-01T06:00:00Z</when><when>2020-05-01T06:00:01Z</when><gx:coord>16 48 1</gx:coord><gx:coord>16 48.1 1</gx:coord></gx:Track></Placemark></Document></kml>`,
);

/** Tables of the fixtures, each with its mapping file beside it. */
const SHEETS = ["german/archive/Lauftagebuch", "us/archive/training", "iso-with-rules/archive/2014"] as const;

/** Reads everything of an archive by a connector. */
async function readBy(connector: Connector, archive: Archive): Promise<void> {
  const context = { signal: new AbortController().signal, report: () => {}, sports: new Map() };
  await connector.identify(archive);
  for await (const _ of connector.read(archive, context));
}

const ofSource = (error: unknown) => error instanceof FatalError && error.reason === "source";
const ofArchive = (error: unknown) => error instanceof ArchiveError || ofSource(error);

const devices = (depth: "scan" | "decode") => (input: Buffer) => decodeDeviceFile(input, depth);

const ANSWERS = text(
  '{"code":0,"data":{"id":"a1","workout":{"id":"a1","activityID":10,"activityName":"Run","workoutID":1,"date":"2020-05-01","timeOfDay":"07:00:00","notes":"n","course":{"id":"c","name":"C"},"equipment":[{"id":"e","name":"E"}],"details":{"distance":{"value":10,"unit":"km"},"duration":3600},"health":{"avgHR":140,"weight":{"value":70,"unit":"kg"}},"intervalSet":{"intervals":[{"type":"rest","duration":60}]},"weather":{"conditions":["sunny"],"temperature":{"value":20,"unit":"C"}}}}}',
  '{"code":0,"data":{"numEntries":2,"entries":[{"id":"1","date":"2020-05-01","activityID":10},{"id":"2","name":"c","brandName":"b"}]}}',
  '{"code":0,"data":{"id":"a1","ids":["a","b"],"user":{"screenName":"s","person":{"birthDate":"1980-01-01"},"preference":{"utcOffset":1,"distanceUnit":"km"}},"preference":{"utcOffset":-3.5,"weightUnit":"lb"},"course":{"id":"c","name":"C","surfaces":"road"},"equipment":{"id":"e","price":"100"}}}',
  '{"code":3,"message":"no","error":"invalid_grant","error_description":"no","access_token":"abc","token_type":"bearer"}',
  "<!doctype html><title>Sign in</title>",
);

const still: Clock = { now: () => 1.6e12, date: () => 1.6e12, sleep: async () => {}, random: () => 0.5 };

/** More requests than any answer may cause. */
const MOST_REQUESTS = 2_000;

/** Asks for anything of a log that answers everything with these bytes. */
async function askLog(body: Buffer, random: Random): Promise<void> {
  const signal = new AbortController().signal;
  const status = random.of([
    ...Array<number>(40).fill(200),
    201,
    204,
    301,
    400,
    401,
    403,
    404,
    409,
    418,
    429,
    500,
    503,
  ]);
  let requests = 0;
  const connection = openConnection({
    baseUrl: "https://log.example",
    token: "c4nary",
    clock: still,
    pacing: {
      inFlight: 1,
      run: (send: () => Promise<Outcome>) => send(),
      pause: () => {},
      accepted: () => {},
      waiting: () => undefined,
    } as never,
    fetcher: {
      exchange: async () => {
        if (++requests > MOST_REQUESTS) throw new Error(`one answer caused more than ${MOST_REQUESTS} requests`);
        const header = random.once(4) ? body.subarray(0, 40).toString("latin1") : undefined;
        return { kind: "answer", status, retryAfter: header, date: header, location: header, body, cut: undefined };
      },
      close: async () => {},
    },
  });
  switch (random.below(8)) {
    case 0:
      return void fromWire.workoutFromWire(await client.getWorkout(connection, "a1", signal));
    case 1: {
      const listing = await listAllWorkouts(connection, signal);
      if (listing !== undefined) for await (const workout of listing) fromWire.workoutFromWire(workout);
      return;
    }
    case 2: {
      const listing = await listAllCourses(connection, signal);
      if (listing !== undefined) for await (const course of listing) fromWire.courseFromWire(course);
      return;
    }
    case 3:
      for (const piece of await markedEquipment(connection, signal)) fromWire.equipmentFromWire(piece);
      return;
    case 4:
      return void fromWire.userFromWire(await client.getUser(connection, signal), () => {});
    case 5:
      return void (await client.saveNewWorkout(connection, { activityID: 10, date: "2020-05-01" } as never, signal));
    case 6: {
      const grant = { clientId: "id", clientSecret: "s3cret", code: "c0de", redirectUri: "http://127.0.0.1:1/" };
      return void (await client.exchangeAuthorizationToken(connection, grant as never, signal));
    }
    default:
      for await (const _ of readLog(connection, signal));
  }
}

/** A login that waits for its answer. */
const PENDING: PendingLogin = {
  address: "https://log.example/oauth2/authorize?client_id=id",
  baseUrl: "https://log.example",
  clientId: "id",
  redirectUri: OUT_OF_BAND,
  codeVerifier: "v3rifier",
  state: undefined,
};

/** The readers, in the order of what they read. */
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
    name: "device-stream",
    seeds: () => [
      ...GPX,
      ...TCX,
      fitSeeds()[0] as Buffer,
      gzipSync(GPX[0] as Buffer),
      gzipSync(gzipSync(GPX[0] as Buffer)),
    ],
    damage: [...operators.XML, ...operators.FIT],
    words: [...XML_WORDS, ...FIT_WORDS, ...GZIP_WORDS],
    async read(input, random) {
      const size = random.of([1, 7, 100, 100_000]);
      async function* pieces() {
        for (let from = 0; from < input.length; from += size) yield input.subarray(from, from + size);
      }
      await streamDeviceFile(pieces(), random.of(["scan", "decode"] as const));
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
    name: "nike",
    seeds: () => [fixture("nike/list/archive/activities.json"), fixture(NIKE_RUN)],
    damage: operators.TEXT,
    words: [...JSON_WORDS, '"activities"', '"summaries"', '"start_epoch_ms"', "1e308", '"id"'],
    read: (input) => readBy(nike, memoryArchive("e", { "a.json": input })),
    mayThrow: ofSource,
  },
  {
    name: "garmin-list",
    seeds: () => [
      fixture("garmin/web-list-kilometres/archive/Activities.csv"),
      fixture("garmin/web-list-miles-german/archive/meine Liste.csv"),
    ],
    damage: operators.TEXT,
    words: [...CSV_WORDS, "Avg Stride Length", "Distance", '"1,200"', '"5,81"', "Pool Swim"],
    read: (input) => readBy(garmin, memoryArchive("e", { "Activities.csv": input, "1.gpx": GPX[0] as Buffer })),
    mayThrow: ofSource,
  },
  {
    name: "garmin",
    seeds: () => [fixture("garmin/plain-list/archive/anna_summarizedActivities.json")],
    damage: operators.TEXT,
    words: [
      ...JSON_WORDS,
      '"activityId"',
      '"startTimeGmt"',
      '"activityType":{"typeKey":"running"}',
      "1e308",
      '"parent":true',
    ],
    read: (input) =>
      readBy(
        garmin,
        memoryArchive("e", { "0_summarizedActivities.json": input, "0_gear.json": input, "1.gpx": GPX[0] as Buffer }),
      ),
    mayThrow: ofSource,
  },
  {
    name: "runkeeper",
    seeds: () => [fixture("runkeeper/km-12-columns/archive/cardioActivities.csv")],
    damage: operators.TEXT,
    words: [...CSV_WORDS, "1.gpx", "../1.gpx", "Distance (mi)", "GPX File"],
    read: (input) =>
      readBy(runkeeper, memoryArchive("e", { "cardioActivities.csv": input, "2016-08-13-0902.gpx": GPX[0] as Buffer })),
    mayThrow: ofSource,
  },
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
      await readToken([input.toString("latin1")] as never);
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

async function drained(pieces: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of pieces);
}

/** Throws on what is no error of the reader's own. */
function unless(mine: (error: unknown) => boolean): (error: unknown) => undefined {
  return (error) => {
    if (!mine(error)) throw error;
    return undefined;
  };
}

function ofTransfer(error: unknown): boolean {
  return error instanceof TransferError && !/c4nary|s3cret|v3rifier/.test(error.message);
}
