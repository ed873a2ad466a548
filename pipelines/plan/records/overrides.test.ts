import { expect, test } from "vitest";
import { withFix } from "../../../transforms/model/fix.ts";
import { describeFix, readFix } from "./overrides.ts";

const NOW = Date.parse("2026-05-01T12:00:00Z");

test.each([
  [["date=2019-05-04"], { date: "2019-05-04" }],
  [["time=6:05 PM", "date=2019-05-04"], { date: "2019-05-04", time: "18:05:00" }],
  [["distance=10 km"], { distance: { unit: "km", value: 10 } }],
  [["distance=6.2mi", "duration=45 min"], { distance: { unit: "mi", value: 6.2 }, duration: 2700 }],
  [["duration=1:02:03"], { duration: 3723 }],
  [["date=2026-05-02"], { date: "2026-05-02" }],
  [["zone=Europe/Vienna", "duration=2700 s"], { zone: "Europe/Vienna", duration: 2700 }],
  [["activity=other"], { activity: "other" }],
  [["activity=run", "notes=a=b"], { activity: "run", notes: "a=b" }],
])("%j is understood", (pairs, fix) => {
  expect(readFix(pairs, NOW)).toEqual({ fix });
});

test.each([
  ["date=04.05.2019", "date is"],
  ["date=2019-02-29", "date is"],
  ["date=3000-01-01", "not in the future"],
  ["date=1899-12-31", "from 1900 on"],
  ["zone=Ocean/Atlantis", "a time zone like"],
  ["distance=99999 km", "5000 km at most"],
  ["duration=800:00:00", "30 days at most"],
  ["time=25:00", "time is"],
  ["distance=10", "a number with its unit"],
  ["distance=-1 km", "a number with its unit"],
  ["distance=10 leagues", "a number with its unit"],
  ["duration=45", "duration is"],
  ["activity=quidditch", "an activity such as"],
  ["notes=", "expected text"],
  ["__proto__=x", "expected FIELD=VALUE"],
  ["constructor=x", "expected FIELD=VALUE"],
  ["date", "expected FIELD=VALUE"],
])("%s is refused, and says what was expected", (pair, complaint) => {
  const read = readFix([pair], NOW);
  expect(read).toMatchObject({ error: expect.stringContaining(complaint) });
});

test("a fix is told in words", () => {
  expect(describeFix({ date: "2019-05-04", distance: { unit: "km", value: 10 }, duration: 60 })).toBe(
    "date 2019-05-04, distance 10 km, duration 60 s",
  );
});

test("a day that was set wins over the source's instant; a time alone goes with the source's day", () => {
  const start = { instant: Date.parse("2024-05-01T05:00:00Z"), offsetMinutes: 120, position: { lat: 48, lon: 16 } };
  expect(withFix({ start }, { date: "2019-05-04" }).start).toEqual({
    date: "2019-05-04",
    basis: "source",
    position: { lat: 48, lon: 16 },
  });
  const row = { start: { date: "2024-05-01", time: "07:00:00" } };
  expect(withFix(row, { time: "08:00:00" }).start).toMatchObject({ date: "2024-05-01", time: "08:00:00" });
  expect(withFix(row, { date: "2024-05-02" }).start).toEqual({ ...row.start, date: "2024-05-02", basis: "source" });
  expect(withFix(row, { notes: "x" })).toEqual({ ...row, notes: "x" });
});

test("a zone makes the local time of an instant, and is nothing beside another day", () => {
  const start = { instant: Date.parse("2024-07-01T22:30:00Z"), offsetMinutes: 0 };
  expect(withFix({ start }, { zone: "Europe/Vienna" }).start).toEqual({
    instant: start.instant,
    date: "2024-07-02",
    time: "00:30:00",
    basis: "named zone",
  });
  expect(withFix({ start }, { zone: "Europe/Vienna", date: "2024-07-01" }).start).toEqual({
    date: "2024-07-01",
    basis: "source",
  });
});
