/** Sound inputs: undamaged device files, tables of the fixtures and answers of a log. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as fit from "../support/fit-bytes.ts";

const FIXTURES = join(import.meta.dirname, "..", "..", "fixtures");
export const fixture = (path: string) => readFileSync(join(FIXTURES, path));
export const NIKE_RUN = "nike/a-file-each/archive/activities/0a1b2c3d-0000-4000-9000-000000000000.json";
export const text = (...parts: readonly string[]) => parts.map((part) => Buffer.from(part));

const T = 1_000_000_000;

/** A run of three records, a lap and a session, with positions, and one with a developer field and packed times. */
export function fitSeeds(): Buffer[] {
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

export const GPX = text(
  `<?xml version="1.0"?><gpx version="1.1" creator="x" xmlns="http://www.topografix.com/GPX/1/1"><trk><name>a &amp; b</name><type>run</type><trkseg>
<trkpt lat="48.1" lon="16.3"><ele>200</ele><time>2020-05-01T06:00:00Z</time><extensions><a:TrackPointExtension xmlns:a="u"><a:hr>140</a:hr></a:TrackPointExtension></extensions></trkpt>
<trkpt lat="48.2" lon="16.4"><time>2020-05-01T06:00:01+02:00</time></trkpt></trkseg></trk><wpt lat="1" lon="2"/></gpx>`,
  `<gpx:gpx version="1.0" xmlns:gpx="u"><gpx:rte><gpx:name><![CDATA[<r>]]></gpx:name><gpx:rtept lat="1" lon="2"/><gpx:rtept lat="1" lon="3"/></gpx:rte></gpx:gpx>`,
);
export const TCX = text(
  `<?xml version="1.0"?><TrainingCenterDatabase><Activities><Activity Sport="Running"><Id>2020-05-01T06:00:00Z</Id><Lap StartTime="2020-05-01T06:00:00Z"><TotalTimeSeconds>10</TotalTimeSeconds><DistanceMeters>30</DistanceMeters><Calories>5</Calories><AverageHeartRateBpm><Value>140</Value></AverageHeartRateBpm><Intensity>Active</Intensity><TriggerMethod>Manual</TriggerMethod><Track>
<Trackpoint><Time>2020-05-01T06:00:00Z</Time><Position><LatitudeDegrees>48.1</LatitudeDegrees><LongitudeDegrees>16.3</LongitudeDegrees></Position><DistanceMeters>0</DistanceMeters><HeartRateBpm><Value>139</Value></HeartRateBpm></Trackpoint></Track></Lap><Creator xsi:type="Device_t"><Name>W</Name><UnitId>1</UnitId></Creator></Activity></Activities></TrainingCenterDatabase>`,
  `<TrainingCenterDatabase><Courses><Course><Name>c</Name><Lap><DistanceMeters>9</DistanceMeters></Lap><Track><Trackpoint><Position><LatitudeDegrees>1</LatitudeDegrees><LongitudeDegrees>2</LongitudeDegrees></Position></Trackpoint></Track></Course></Courses></TrainingCenterDatabase>`,
);
export const KML = text(
  `<kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="g"><Document><Placemark><name>l</name><LineString><coordinates>16,48,1 16.1,48.1,2</coordinates></LineString></Placemark><Placemark><gx:Track><when>2020-05-01T06:00:00Z</when><when>2020-05-01T06:00:01Z</when><gx:coord>16 48 1</gx:coord><gx:coord>16 48.1 1</gx:coord></gx:Track></Placemark></Document></kml>`,
);

/** Tables of the fixtures, each with its mapping file beside it. */
export const SHEETS = ["german/archive/Lauftagebuch", "us/archive/training", "iso-with-rules/archive/2014"] as const;

export const ANSWERS = text(
  '{"code":0,"data":{"id":"a1","workout":{"id":"a1","activityID":10,"activityName":"Run","workoutID":1,"date":"2020-05-01","timeOfDay":"07:00:00","notes":"n","course":{"id":"c","name":"C"},"equipment":[{"id":"e","name":"E"}],"details":{"distance":{"value":10,"unit":"km"},"duration":3600},"health":{"avgHR":140,"weight":{"value":70,"unit":"kg"}},"intervalSet":{"intervals":[{"type":"rest","duration":60}]},"weather":{"conditions":["sunny"],"temperature":{"value":20,"unit":"C"}}}}}',
  '{"code":0,"data":{"numEntries":2,"entries":[{"id":"1","date":"2020-05-01","activityID":10},{"id":"2","name":"c","brandName":"b"}]}}',
  '{"code":0,"data":{"id":"a1","ids":["a","b"],"user":{"screenName":"s","person":{"birthDate":"1980-01-01"},"preference":{"utcOffset":1,"distanceUnit":"km"}},"preference":{"utcOffset":-3.5,"weightUnit":"lb"},"course":{"id":"c","name":"C","surfaces":"road"},"equipment":{"id":"e","price":"100"}}}',
  '{"code":3,"message":"no","error":"invalid_grant","error_description":"no","access_token":"abc","token_type":"bearer"}',
  "<!doctype html><title>Sign in</title>",
);
