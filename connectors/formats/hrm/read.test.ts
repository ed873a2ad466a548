import { expect, test } from "vitest";
import { readPdd } from "./day.ts";
import { readHrm, secondsOf } from "./read.ts";

/** The bytes of a text, in pieces of a size. */
async function* pieces(text: string, size = 1 << 20) {
  const bytes = Buffer.from(text, "latin1");
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const ignore = () => {};
const FILE =
  "[Params]\r\nVersion=106\r\nSMode=100000000\r\nInterval=5\r\n\r\n[Note]\r\nmüde [sehr]\r\n[Trip] zu Fuß\r\n\r\n[HRData]\r\n120\t100\r\n0\t110\r\n";

test("a file is the same wherever its bytes are cut, and with the line ends of Unix and old Macs", async () => {
  const whole = await readHrm(pieces(FILE), ignore);
  expect(whole).toMatchObject({ note: "müde [sehr]\n[Trip] zu Fuß", avgHR: 120, maxHR: 120, units: "metric" });
  for (const size of [1, 2, 3, 7]) expect(await readHrm(pieces(FILE, size), ignore)).toEqual(whole);
  for (const lineEnd of ["\n", "\r"])
    for (const size of [1, 1000])
      expect(await readHrm(pieces(FILE.replaceAll("\r\n", lineEnd), size), ignore)).toEqual(whole);
});

test("without a trip, the recorded speed gives the distance: tenths of km/h, five seconds each", async () => {
  const { distance } = await readHrm(pieces(FILE), ignore);
  // 10 km/h and 11 km/h for 5 s each.
  expect(distance).toBeCloseTo(21 * (5 / 3600), 6);
});

test("a line without an end costs no memory, and text where numbers belong counts for nothing", async () => {
  const long = await readHrm(pieces(`[Note]\n${"a".repeat(100_000)}`, 1000), ignore);
  expect(long.note).toHaveLength(10_000);
  const odd = await readHrm(
    pieces("[Params]\nInterval=x\nSMode=1\n[IntTimes]\nsoon\n[Trip]\nfar\n[HRData]\nx\t1\n"),
    ignore,
  );
  expect(odd).toMatchObject({ laps: [], distance: undefined, avgHR: undefined, units: undefined, series: [] });
});

test("the rows of a day are counted by its first row, whatever it says", async () => {
  const day = (head: string) =>
    `[DayInfo]\n100\t1\t1\t6\t1\t9\n20070519\t1\nnote\n[ExerciseInfo1]\n${head}\n0\t0\t0\t0\t60\t90\ntitle\n`;
  const [exercise] = (await readPdd(pieces(day("101\t1\t1\t6\t1\t9")), ignore)).exercises;
  expect(exercise).toMatchObject({ start: 60, seconds: 90, title: "title", note: "" });
  const [more] = (await readPdd(pieces(day("101\t1\t999999999\t6\t999999999\t9")), ignore)).exercises;
  expect(more).toMatchObject({ start: 60, seconds: 90, title: "" });
});

test("a file of a day that has fewer exercises than it counts, or a part of one, is named as cut", async () => {
  const head = "[DayInfo]\n100\t1\t1\t6\t1\t9\n20070519\t2\nnote\n";
  const exercise = (number: number) => `[ExerciseInfo${number}]\n101\t1\t1\t6\t1\t9\n0\t0\t0\t0\t60\t90\ntitle\n`;
  const remarksOn = async (text: string) => {
    const remarks: string[] = [];
    await readPdd(pieces(text), ({ rule, found }) => remarks.push(`${rule}: ${found}`));
    return remarks;
  };
  const named = ["hrm/cut-day: 1 of the 2 exercises of its day: the file seems to be cut"];
  expect(await remarksOn(`${head}${exercise(1)}${exercise(2)}`)).toEqual([]);
  expect(await remarksOn(`${head}${exercise(1)}`)).toEqual(named);
  expect(await remarksOn(`${head}${exercise(1)}[ExerciseInfo2]\n101\t1\t1\t6\t1\t9\n`)).toEqual(named);
});

test.each([
  ["0:15:00.5", 900.5],
  ["100:00:00", 360_000],
  ["15:00", undefined],
  ["", undefined],
])("%j is %j seconds", (text, seconds) => expect(secondsOf(text)).toBe(seconds));
