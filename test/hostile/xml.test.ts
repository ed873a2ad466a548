import { expect, test } from "vitest";
import { decodeGpx } from "../../connectors/formats/gpx/decode.ts";
import { growth, LINEAR } from "../support/growth.ts";
import { inputs } from "../support/tiers.ts";
import { gpx, readFiles } from "./reading.ts";

/** A hostile file beside a sound one: the sound one is read. */
async function beside(name: string, content: string | Uint8Array) {
  const read = await readFiles({ "good.gpx": gpx(), [name]: content });
  expect(read.items.filter(({ origin }) => origin.entry === "good.gpx")).toHaveLength(1);
  return {
    said: read.rejected[name],
    remarks: read.remarks.filter((remark) => remark.includes(name)),
    count: read.items.length - 1,
    read,
  };
}

const laughs = `<!DOCTYPE gpx [${Array.from({ length: 9 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`).join("")}]>`;
test.each([
  ["a billion laughs", laughs],
  ["one that reads a file", '<!DOCTYPE gpx [<!ENTITY x SYSTEM "file:///etc/passwd">]>'],
  ["one that asks a server", '<!DOCTYPE gpx SYSTEM "http://127.0.0.1:9/evil.dtd">'],
  ["a parameter entity", '<!DOCTYPE gpx [<!ENTITY % p SYSTEM "http://127.0.0.1:9/"> %p;]>'],
  ["in small letters", "<!doctype gpx>"],
])("X1 a document type is refused: %s", async (_, doctype) => {
  const { said } = await beside("a.gpx", doctype + gpx().replace("run", "&l9;&x;"));
  expect(said).toMatch(/^xml\/doctype \(a document type, line 1, expected none: document types are not accepted\)$/);
});

const inTrack = (inner: string) =>
  `<gpx><trk><trkseg><trkpt lat="1" lon="2"><time>2020-05-01T06:00:00Z</time></trkpt>${inner}`;
/** The part that an attacker repeats the given number of times. The counts are those of the test names. */
test.each<[string, (count: number) => string, number, RegExp | undefined]>([
  [
    "65 elements within each other",
    (count) => inTrack("<a>".repeat(count)),
    65,
    /^xml\/depth \(65 elements within each other, line 1 inside a, expected at most 64\)$/,
  ],
  ["100,000 within each other", (count) => inTrack("<a>".repeat(count)), 100_000, /^xml\/depth/],
  [
    "100,000 attributes",
    (count) => inTrack(`<a ${Array.from({ length: count }, (_, n) => `a${n}=""`).join(" ")}/>`),
    100_000,
    /^xml\/attributes \(65 attributes, .*at most 64\)$/,
  ],
  [
    "20,000 namespaces",
    (count) => inTrack(Array.from({ length: count }, (_, n) => `<a xmlns:n${n}="u">`).join("")),
    20_000,
    /^xml\/depth/,
  ],
  ["300 kB of tag soup", (count) => inTrack("<a<".repeat(count)), 100_000, undefined],
  [
    "entities without an end",
    (count) => inTrack(`<a>${"&#65;".repeat(count)}</a>`),
    inputs({ first: 50_000, long: 1_000_000 }),
    undefined,
  ],
])("X2 %s cost by their number, not by its square, and are reported", async (_, repeated, count, said) => {
  expect(await growth(repeated, (text) => decodeGpx(text, "scan"), Math.ceil(count / 2))).toBeLessThanOrEqual(LINEAR);
  const document = repeated(count);
  const { issues } = decodeGpx(document, "scan");
  expect(issues.map(({ rule }) => rule).join()).toMatch(/xml\/(depth|attributes|not-well-formed|truncated|text)/);
  const found = await beside("a.gpx", document);
  if (said !== undefined) expect(found.said).toMatch(said);
  else expect(found.remarks.join()).toMatch(/xml\/(not-well-formed|truncated)/);
});

test("X3 a file that stops within a point keeps the points before it, and the line where it stops is told", async () => {
  const cut = `${gpx().split("</trkseg>")[0]}\n\n<trkpt lat="48.9" lon="16`;
  const { count, remarks, read } = await beside("a.gpx", cut);
  expect(count).toBe(1);
  expect(remarks.join()).toMatch(/a\.gpx: xml\/truncated \(the text ends in line 3 inside trkseg, expected <\/gpx>\)/);
  expect(read.items.find(({ origin }) => origin.entry === "a.gpx")).toMatchObject({
    kind: "workout",
    value: { duration: 2 },
  });
});

const named = (text: string) => gpx().replace("<type>", `<name>${text}</name><type>`);
test.each<[string, Uint8Array, string, RegExp | undefined]>([
  ["UTF-16 behind its mark", Buffer.from(`\ufeff${named("Läufe")}`, "utf16le"), "Läufe", undefined],
  ["UTF-8 behind its mark", Buffer.from(`\ufeff${named("Läufe")}`), "Läufe", undefined],
  [
    "Latin-1 that declares itself",
    Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?>${named("Läufe")}`, "latin1"),
    "Läufe",
    undefined,
  ],
  [
    "Latin-1 that declares nothing",
    Buffer.from(named("Läufe"), "latin1"),
    "Läufe",
    /text\/not-utf-8 \(byte 0xe4, read as windows-1252, expected UTF-8\)/,
  ],
  [
    "UTF-8 that declares Latin-1",
    Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?>${named("Läufe")}`),
    "Läufe",
    undefined,
  ],
  [
    "NUL and ESC",
    Buffer.from(named("Lä\0u\x1bf&#27;e")),
    "Läufe",
    /xml\/control-characters \(.*they were left out, 3 times\)/,
  ],
])("X4 %s is read as what it is", async (_, bytes, name, said) => {
  const { count, remarks, read } = await beside("a.gpx", bytes);
  expect(count).toBe(1);
  expect(JSON.stringify(read.items)).toContain(`"name":"${name}"`);
  if (said !== undefined) expect(remarks.join("\n")).toMatch(said);
});

test("X5 a value that can't be is left out, named and counted, and the run stays", async () => {
  const bad = [
    '<trkpt lat="NaN" lon="2"/>',
    '<trkpt lat="91" lon="2"/>',
    '<trkpt lat="1e999" lon="2"/>',
    '<trkpt lat="48,5" lon="2"/>',
    '<trkpt lat="48.5" lon="181"/>',
    '<trkpt lat="48.5" lon="16"><time>9999-99-99T00:00:00Z</time></trkpt>',
    '<trkpt lat="48.5" lon="16"><time>2020-05-01T24:00:01Z</time></trkpt>',
    '<trkpt lat="48.5" lon="16"><time>2020-05-01T05:00:00Z</time></trkpt>',
    '<trkpt lat="48.5" lon="16"><time>2020-05-01T06:00:05</time></trkpt>',
  ];
  const { count, remarks } = await beside("a.gpx", gpx("2020-05-01", bad.join("")));
  expect(count).toBe(1);
  const said = remarks.join("\n");
  expect(said).toMatch(
    /gpx\/bad-position \(lat is "NaN", expected degrees, -90 to 90; the point was left out, 4 times\)/,
  );
  expect(said).toMatch(/gpx\/bad-position \(lon is "181"/);
  expect(said).toMatch(/gpx\/bad-time \(time is "9999-99-99T00:00:00Z", expected a date and time, 2 times\)/);
  expect(said).toMatch(/gpx\/time-backwards/);
  expect(said).toMatch(/gpx\/time-without-zone .*it was read as UTC/);
});

test.each<[string, string, RegExp | "read"]>([
  ["GPX 1.0", gpx().replace("1.1", "1.0"), "read"],
  ["GPX 2.0", gpx().replace("1.1", "2.0"), "read"],
  ["GPX with a prefix", gpx().replaceAll(/<(\/?)(?=[a-z])/g, "<$1gpx:"), "read"],
  [
    "KML called GPX",
    "<kml><Placemark><LineString><coordinates>16,48 16,49</coordinates></LineString></Placemark></kml>",
    "read",
  ],
  [
    "a web page",
    "<!doctype html><html><body>Please sign in</body></html>",
    /^device-file\/unknown-format \(an HTML page, expected FIT, GPX or TCX\)$/,
  ],
  [
    "another XML",
    '<?xml version="1.0"?><pwx/>',
    /^device-file\/unknown-format \(XML whose first element is <pwx>, expected FIT, GPX or TCX\)$/,
  ],
])("X6 %s is told by what is in it", async (_, document, said) => {
  const found = await beside("a.gpx", document);
  if (said === "read") expect(found.count).toBe(1);
  else expect(found.said).toMatch(said);
});
