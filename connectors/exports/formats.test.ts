import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { gunzipSync } from "node:zlib";
import { Ajv2020 } from "ajv/dist/2020.js";
import ICAL from "ical.js";
import { describe, expect } from "vitest";
import { FULL_WORKOUT, fullLog, ODD_TEXTS } from "../../test/support/full-log.ts";
import { rowTest, test } from "../../test/support/tier-tests.ts";
import { chosenRows } from "../../test/support/tiers.ts";
import { chosen, folder, issues, NOW, write } from "../../test/support/written-exports.ts";
import type { LogRecord } from "../api/source.ts";
import { choose, EVERYTHING, type UnknownWord } from "./choose.ts";
import { FORMAT_NAMES, FORMATS } from "./formats.ts";
import { jsonSchema } from "./json-schema.ts";

// These tests cover the formats without tables, and the rules for every export. ical.js and Ajv read the files. They share no code with logferry.

const MEMBERS: Readonly<Record<LogRecord["kind"], string>> = {
  user: "user",
  preference: "preference",
  equipment: "equipment",
  course: "courses",
  "training-plan": "trainingPlans",
  workout: "workouts",
};

describe("JSON and NDJSON", () => {
  const ajv = new Ajv2020({ allErrors: true });
  const validate = ajv.compile(jsonSchema());

  test("log.json holds every record as the log gave it, and what it is", async () => {
    await write("json");
    const log = JSON.parse(readFileSync(join(folder, "log.json"), "utf8"));
    expect(log.export).toEqual({ format: "logferry-export", version: 1, exportedAt: "2026-01-02T03:04:05.000Z" });
    for (const { kind, value } of fullLog()) {
      const member = log[MEMBERS[kind]];
      if (Array.isArray(member)) expect(member).toContainEqual(value);
      else expect(member).toEqual(value);
    }
    expect(log.workouts).toHaveLength(2 + ODD_TEXTS.length);
  });

  test("log.ndjson is a record a line, with what it is at its head and how many at its end", async () => {
    await write("ndjson");
    const lines = readFileSync(join(folder, "log.ndjson"), "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines[0]).toMatchObject({ kind: "export", value: { format: "logferry-export", version: 1 } });
    expect(lines.at(-1)).toEqual({ kind: "end", value: { records: fullLog().length } });
    expect(lines.slice(1, -1)).toEqual(fullLog().map(({ kind, value }) => ({ kind, value })));
  });

  test("gzip packs it, and changes nothing", async () => {
    await write("ndjson");
    const [file] = await write("ndjson", fullLog(), { gzip: true });
    expect(file?.path).toBe("log.ndjson.gz");
    expect(gunzipSync(readFileSync(join(folder, "log.ndjson.gz")))).toEqual(readFileSync(join(folder, "log.ndjson")));
  });

  test("an empty log is whole, too", async () => {
    await write("json", []);
    await write("ndjson", []);
    const log = JSON.parse(readFileSync(join(folder, "log.json"), "utf8"));
    expect(log).toMatchObject({ equipment: [], courses: [], trainingPlans: [], workouts: [] });
    expect(validate(log)).toBe(true);
    expect(readFileSync(join(folder, "log.ndjson"), "utf8").trimEnd().split("\n")).toHaveLength(2);
  });

  test("the published JSON Schema takes all of it, with any fields chosen", async () => {
    for (const choice of [
      EVERYTHING,
      chosen(["workouts"], ["date", "distance"]),
      chosen(undefined, ["equipmentName", "type"]),
    ]) {
      await write("json", fullLog(), { choice });
      await write("ndjson", fullLog(), { choice });
      const log = JSON.parse(readFileSync(join(folder, "log.json"), "utf8"));
      expect(validate(log), JSON.stringify(validate.errors)).toBe(true);
      for (const line of readFileSync(join(folder, "log.ndjson"), "utf8").trimEnd().split("\n"))
        expect(validate(JSON.parse(line)), `${line} ${JSON.stringify(validate.errors)}`).toBe(true);
      for (const name of readdirSync(folder)) rmSync(join(folder, name));
    }
  });

  test.each([
    ["a field nobody knows", { distanse: 5 }],
    ["a distance without braces", { details: { distance: 5 } }],
    ["a day in another form", { date: "29.2.2024" }],
    ["equipment that is no list", { equipment: { id: "a" } }],
    ["words that are one text", { weather: { conditions: "clear" } }],
  ])("the schema refuses %s", (_, change) => {
    expect(validate({ kind: "workout", value: FULL_WORKOUT.value })).toBe(true);
    expect(validate({ kind: "workout", value: { ...FULL_WORKOUT.value, ...change } })).toBe(false);
  });
});

describe("iCalendar", () => {
  function calendar(): { text: string; events: InstanceType<typeof ICAL.Component>[] } {
    const text = readFileSync(join(folder, "log.ics"), "utf8");
    return { text, events: new ICAL.Component(ICAL.parse(text)).getAllSubcomponents("vevent") };
  }

  test("a workout an event: at its local time, as long as it took, without a zone", async () => {
    await write("ics");
    const [full, bare] = calendar().events;
    const event = new ICAL.Event(full);
    expect(event.startDate.toString()).toBe("2024-02-29T23:59:58");
    expect(event.startDate.zone.tzid).toBe("floating");
    expect(event.duration.toSeconds()).toBe(2113);
    expect(event.summary).toBe("Run, Race: 10.25 km, 0:35:13");
    expect(event.location).toBe("River, and back");
    expect(event.description).toBe("it rained");
    expect(full?.getFirstPropertyValue("categories")).toBe("Run");
    const untimed = new ICAL.Event(bare);
    expect(untimed.startDate.isDate).toBe(true);
    expect(untimed.startDate.toString()).toBe("1899-12-31");
  });

  test("any text arrives as it was, but for line ends, which are one kind, and what no line can hold", async () => {
    await write("ics");
    const described = calendar()
      .events.slice(2)
      .map((event) => new ICAL.Event(event).description);
    expect(described).toEqual(ODD_TEXTS.map((text) => text.replace(/\r\n|\r/g, "\n").replace(/[\u0007\u001b]/g, "")));
  });

  test("no line is longer than 75 octets, none cuts a character, each ends with CR LF", async () => {
    const notes = "🏃‍♀️ Zürich, ".repeat(40);
    await write("ics", [{ ...FULL_WORKOUT, value: { ...FULL_WORKOUT.value, notes } }]);
    const { text, events } = calendar();
    const lines = text.split("\r\n");
    expect(lines.at(-1)).toBe("");
    expect(lines.filter((line) => Buffer.byteLength(line) > 75 || /[\r\n\uFFFD]/.test(line))).toEqual([]);
    expect(lines.some((line) => Buffer.byteLength(line) > 71)).toBe(true);
    expect(new ICAL.Event(events[0]).description).toBe(notes);
  });

  test("events are known again: one id each, the same in every export", async () => {
    await write("ics");
    const first = calendar().events.map((event) => new ICAL.Event(event).uid);
    rmSync(join(folder, "log.ics"));
    await write("ics", fullLog().reverse());
    const second = calendar().events.map((event) => new ICAL.Event(event).uid);
    expect(new Set(first).size).toBe(2 + ODD_TEXTS.length);
    expect(second.toSorted()).toEqual(first.toSorted());
  });

  test("a workout without a date has no event, and that is said", async () => {
    expect(await write("ics", [{ kind: "workout", id: "w", value: { id: "w" } }])).toEqual([
      { path: "log.ics", records: 0 },
    ]);
    expect(issues).toMatchObject([{ rule: "export/no-date", count: 1 }]);
  });
});

describe("memory", () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;

  /** Bytes of memory in use after a collection. */
  const alive = () => {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };

  rowTest.each(chosenRows(FORMAT_NAMES, (name) => name === "csv"))(
    "%s holds no more after 6,000 workouts than after 2,000",
    async (format) => {
      const options = { folder, choice: EVERYTHING, rawCsv: false, gzip: false, now: NOW, report: () => undefined };
      const writer = await FORMATS[format].open(options);
      const upTo = async (from: number, to: number) => {
        for (let number = from; number < to; number++) {
          const value = { ...FULL_WORKOUT.value, id: `w${number}`, notes: `${number} ${"x".repeat(2_000)}` };
          await writer.write({ kind: "workout", id: `w${number}`, value });
        }
      };
      /** Measures the memory that stays in use. Data on its way to the disk is freed sooner or later. */
      const heldBelow = async (most: number, tries = 500) => {
        let least = Number.POSITIVE_INFINITY;
        for (let turn = 0; turn < tries && least >= most; turn++) {
          await new Promise((resolve) => setImmediate(resolve));
          least = Math.min(least, alive());
        }
        return least;
      };
      await upTo(0, 2_000);
      const before = await heldBelow(0, 20);
      await upTo(2_000, 6_000);
      // If the writer kept these workouts in memory, they would take more than 8 MB.
      const most = before + 3 * 2 ** 20;
      expect(await heldBelow(most)).toBeLessThan(most);
      await writer.finish();
    },
  );
});

describe("what is chosen", () => {
  test("fields come in the order they were named, a value with its unit, and tables without any are left out", () => {
    const { tables, kinds } = chosen(undefined, ["workouts.distance", "timeOfDay", "workouts.date"]);
    expect(tables.map(({ name, columns }) => [name, columns.map((column) => column.name)])).toEqual([
      ["workouts", ["distance", "distanceUnit", "timeOfDay", "date"]],
    ]);
    expect([...kinds]).toEqual(["workout"]);
  });

  test("a unit that stands beside nothing comes only when it is named", () => {
    const { tables } = chosen(["preference"], ["utcOffset"]);
    expect(tables[0]?.columns.map(({ name }) => name)).toEqual(["utcOffset"]);
  });

  test("what is left of a record is what was chosen, at its place", () => {
    const { prune } = chosen(["workouts"], ["date", "temperature", "equipmentName", "type", "intervals.duration"]);
    expect(prune("workout", FULL_WORKOUT.value)).toEqual({
      date: "2024-02-29",
      equipment: [{ name: "Acme Fast" }],
      intervalSet: { intervals: [{ type: "interval", duration: 91.79 }, { type: "rest", duration: 60 }, {}] },
      weather: { temperature: { unit: "C", value: -1.5 } },
    });
  });

  test("a word that names nothing is given back, with those that would", () => {
    expect((choose(["workout"], undefined) as UnknownWord).unknown).toBe("workout");
    expect((choose(undefined, ["date", "dsitance"]) as UnknownWord).unknown).toBe("dsitance");
    expect((choose(["courses"], ["date"]) as UnknownWord).unknown).toBe("date");
  });
});
