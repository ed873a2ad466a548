/** The longest text that a save takes. A listing stays short, even with texts that were saved before there was a maximum. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Service, startService } from "../server.ts";
import { type Person, person, service } from "./client.ts";
import { reader } from "./reader.ts";
import { STORES } from "./stores.ts";

const WORKOUTS = "/rest/logs/me/workouts";
const COURSES = "/rest/logs/me/courses";
const EQUIPMENT = "/rest/logs/me/equipment";
const RUN = { activityID: 10, date: "2020-01-01" };

let log: Service;
let ann: Person;

beforeAll(async () => {
  log = await service();
  ann = await person(log);
});
afterAll(() => log.close());

/** Every text that a save keeps: its place in a body, the field's name in a refusal, and the most characters. */
const TEXTS: readonly (readonly [string, string, number, (text: string) => object])[] = [
  [COURSES, "name", 500, (name) => ({ name })],
  [COURSES, "notes", 65_536, (notes) => ({ name: "a", notes })],
  [EQUIPMENT, "brandName", 500, (brandName) => ({ activityID: 10, brandName })],
  [EQUIPMENT, "modelName", 500, (modelName) => ({ activityID: 10, modelName })],
  [EQUIPMENT, "serial", 500, (serial) => ({ activityID: 10, serial })],
  [EQUIPMENT, "gender", 500, (gender) => ({ activityID: 10, gender })],
  [EQUIPMENT, "notes", 65_536, (notes) => ({ activityID: 10, notes })],
  [WORKOUTS, "notes", 65_536, (notes) => ({ ...RUN, notes })],
  [WORKOUTS, "intervalSet.id", 500, (id) => ({ ...RUN, intervalSet: { id } })],
  [WORKOUTS, "intervalSet.name", 500, (name) => ({ ...RUN, intervalSet: { name } })],
  [WORKOUTS, "intervalSet.intervals[0].type", 500, (type) => ({ ...RUN, intervalSet: { intervals: [{ type }] } })],
];

test.each(TEXTS)(
  "POST and PUT %s take %s of %i characters; one more is refused by name",
  async (path, field, most, body) => {
    const id = await ann.save(path, body("🏃".repeat(most)));
    for (const [method, address] of [
      ["POST", path],
      ["PUT", `${path}/${id}`],
    ] as const) {
      const answer = await ann.send(method, address, { body: body("x".repeat(most + 1)) });
      expect([answer.status, answer.json]).toEqual([
        400,
        { code: 3, message: `${field}: must not have more than ${most} characters` },
      ]);
    }
  },
);

describe.each(Object.entries(STORES))(
  "on %s, names and notes of 200,000 characters from before there was a most",
  (_name, newDatabase) => {
    const LONG = "n".repeat(200_000);
    let old: Service;
    let bob: Person;
    let course: string;
    let shoe: string;
    let workout: string;

    beforeAll(async () => {
      old = await startService({ database: await newDatabase() });
      bob = await person(old);
      course = await old.store.addCourse(bob.userId, { name: LONG, notes: LONG });
      shoe = await old.store.addEquipment(bob.userId, {
        activityID: 10,
        brandName: LONG,
        modelName: LONG,
        serial: LONG,
      });
      workout = await old.store.addWorkout(bob.userId, { ...RUN, notes: LONG, course, equipment: shoe });
      await old.operator.addTrainingPlan(bob.userId, { name: LONG });
    });
    afterAll(() => old.close());

    test("come back whole from the record itself", async () => {
      const of = async (path: string) => (await bob.send("GET", path)).json.data;
      expect((await of(`${COURSES}/${course}`)).course.name).toBe(LONG);
      expect((await of(`${EQUIPMENT}/${shoe}`)).equipment.serial).toBe(LONG);
      expect((await of(`${WORKOUTS}/${workout}`)).workout.notes).toBe(LONG);
    });

    test("are cut in every listing, which says so by its last character", async () => {
      const first = async (path: string, query = {}) => (await bob.send("GET", path, { query })).json.data.entries[0];
      const name = `${"n".repeat(499)}…`;
      const notes = `${"n".repeat(65_535)}…`;
      expect(await first(WORKOUTS)).toMatchObject({ course: { name }, equipment: { name: `${"n".repeat(1000)}…` } });
      expect(await first(WORKOUTS, { fields: "22,25" })).toMatchObject({ course: { name }, notes });
      for (const sortBy of [0, 1, 2]) expect(await first(COURSES, { sortBy })).toMatchObject({ name, notes });
      expect(await first(EQUIPMENT)).toMatchObject({ brandName: name, modelName: name, serial: name });
      expect(await first("/rest/logs/me/training_plans")).toMatchObject({ name });
      const whole = (await bob.send("GET", `${EQUIPMENT}/${shoe}`)).json.data.equipment;
      const { brandID, modelID } = await first(EQUIPMENT);
      expect([brandID, modelID]).toEqual([whole.brandID, whole.modelID]);
    });
  },
);

test("a page of a hundred workouts on one course is short, however long the course's name was made", async () => {
  const eve = await person(log);
  const course = await log.store.addCourse(eve.userId, { name: "\u0000\ud800".repeat(50_000) });
  for (let n = 0; n < 100; n++) await log.store.addWorkout(eve.userId, { ...RUN, course });
  const { json, text } = await eve.send("GET", WORKOUTS, { query: { limit: 100 } });
  expect(json.data.entries.at(-1).course.name).toBe(`${"\u0000\ud800".repeat(250).slice(0, 499)}…`);
  expect(text.length).toBeLessThan(500_000);
});

test("the pages of a log with such names are short too", async () => {
  const kim = await reader(log, { screenName: "kim" });
  const name = "n".repeat(200_000);
  const course = await log.store.addCourse(kim.userId, { name });
  const equipment = await log.store.addEquipment(kim.userId, { activityID: 10, brandName: name });
  for (let n = 0; n < 20; n++) await log.store.addWorkout(kim.userId, { ...RUN, course, equipment });
  for (const path of ["/", "/2020", "/2020/01", "/courses", "/equipment"]) {
    const { text } = await kim.visitor.get(path);
    expect([path, text.length < 100_000]).toEqual([path, true]);
  }
});

test("an imported file's notes are cut to what a save takes", async () => {
  const gpx = `<gpx version="1.1"><trk><desc>${"d".repeat(100_000)}</desc><trkseg><trkpt lat="1" lon="2"><time>2020-01-01T00:00:00Z</time></trkpt><trkpt lat="1" lon="2.001"><time>2020-01-01T00:01:00Z</time></trkpt></trkseg></trk></gpx>`;
  const imported = await ann.send("POST", `${WORKOUTS}/gpx`, { body: gpx });
  expect(imported.status).toBe(200);
  const { workout } = (await ann.send("GET", `${WORKOUTS}/${imported.json.data.ids[0]}`)).json.data;
  expect(workout.notes).toBe(`${"d".repeat(65_535)}…`);
});
