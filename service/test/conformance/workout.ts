/** The document's table of a workout, row by row. */
import { expect } from "vitest";
import { comesBack, isIgnored, isRefused, type Kind, savedAndShown } from "./fields.ts";
import { ann, COURSES, EQUIPMENT, RUN, rule, WORKOUTS } from "./harness.ts";

const WORKOUT: Kind = { path: WORKOUTS, name: "workout", least: RUN };

/** Values that aren't a text, a whole number or an object. */
const NO_TEXT = [1, true, null, {}, ["a"]];
const NO_INTEGER = ["1", 1.5, true, null, {}];
const NO_OBJECT = ["a", 1, null, []];

export function workoutRules(): void {
  rule("Workout / id", "a get has the id as text; in a save it is ignored", async () => {
    expect(typeof (await savedAndShown(WORKOUT, {})).id).toBe("string");
    const id = await ann.save(WORKOUTS, { ...RUN, id: "mine" });
    expect(id).not.toBe("mine");
    expect((await ann.send("GET", `${WORKOUTS}/mine`)).status).toBe(404);
    const put = await ann.send("PUT", `${WORKOUTS}/${id}`, { body: { ...RUN, id: "other" } });
    expect(put.json.data.id).toBe(id);
    await isIgnored(WORKOUT, "id");
  });
  rule("Workout / activityID", "a whole number that names an activity", async () => {
    for (const activityID of [10, 11, 12, 13, 100]) await comesBack(WORKOUT, { activityID });
    await isRefused(WORKOUT, "activityID", ...NO_INTEGER.map((activityID) => ({ activityID })), { activityID: 99 });
  });
  rule("Workout / activityName", "a get names the activity; in a save the name is ignored", async () => {
    expect((await savedAndShown(WORKOUT, { activityID: 12, activityName: "Run" })).activityName).toBe("Swim");
    expect((await savedAndShown(WORKOUT, { activityID: 100 })).activityName).toBe("Orienteering");
    await isIgnored(WORKOUT, "activityName");
  });
  rule("Workout / workoutID", "a whole number: which of its activity's workouts it is", async () => {
    await comesBack(WORKOUT, { workoutID: 6 });
    await isRefused(WORKOUT, "workoutID", ...NO_INTEGER.map((workoutID) => ({ workoutID })), { workoutID: 99 });
  });
  rule("Workout / workoutName", "a get names the workout; in a save the name is ignored", async () => {
    expect((await savedAndShown(WORKOUT, { workoutID: 6, workoutName: "Easy" })).workoutName).toBe("Race");
    await isIgnored(WORKOUT, "workoutName");
  });
  rule("Workout / date", "the day of the workout comes back as it was saved", async () => {
    for (const date of ["2024-02-29", "1999-12-31", "1970-01-01"]) await comesBack(WORKOUT, { date });
    await isRefused(WORKOUT, "date", ...NO_TEXT.map((date) => ({ date })));
  });
  rule("Workout / time", "a save takes the time of day as `time`, and a get doesn't have that name", async () => {
    const workout = await savedAndShown(WORKOUT, { time: "06:05:04" });
    expect(workout).not.toHaveProperty("time");
    await isRefused(WORKOUT, "time", ...NO_TEXT.map((time) => ({ time })));
  });
  rule("Workout / timeOfDay", "a get has the time of day as `timeOfDay`, untouched by any zone", async () => {
    for (const time of ["06:05:04", "00:00:00", "23:59:59"]) {
      expect((await savedAndShown(WORKOUT, { time })).timeOfDay).toBe(time);
    }
    expect(await savedAndShown(WORKOUT, {})).not.toHaveProperty("timeOfDay");
    await isRefused(WORKOUT, "timeOfDay", { timeOfDay: "06:05:04" });
  });
  rule("Workout / notes", "free text: whatever was written comes back", async () => {
    for (const notes of [
      'Tab\t, "quotes", <b>, a NUL \u0000, half a pair \ud800 and 🏃',
      "two\nlines\r\nand ' OR 1=1 --",
      "x".repeat(65_536),
      "null",
    ]) {
      await comesBack(WORKOUT, { notes });
    }
    await isRefused(WORKOUT, "notes", ...NO_TEXT.map((notes) => ({ notes })));
  });
  rule("Workout / course", "a save names the course by id alone; a get has its id and name", async () => {
    const id = await ann.save(COURSES, { name: "River" });
    expect((await savedAndShown(WORKOUT, { course: { id } })).course).toEqual({ id, name: "River" });
    expect((await savedAndShown(WORKOUT, { course: { id, name: "Not the river" } })).course).toEqual({
      id,
      name: "River",
    });
    expect((await ann.send("GET", `${COURSES}/${id}`)).json.data.course.name).toBe("River");
    await isRefused(WORKOUT, "course", ...NO_OBJECT.map((course) => ({ course })));
    await isRefused(WORKOUT, "course.id", { course: {} }, { course: { id: 7 } }, { course: { id: "nobody's" } });
  });
  rule("Workout / equipment . 1", "a list in a save, a single object in a get", async () => {
    const id = await ann.save(EQUIPMENT, { activityID: 10, brandName: "Acme", modelName: "Fast 3" });
    const { equipment } = await savedAndShown(WORKOUT, { equipment: [{ id }] });
    expect(Array.isArray(equipment)).toBe(false);
    await isRefused(WORKOUT, "equipment", { equipment: { id } }, { equipment: id }, { equipment: null });
  });
  rule("Workout / equipment . 2", "each element of the list names a piece by its id", async () => {
    await isRefused(WORKOUT, "equipment[0]", { equipment: ["a"] }, { equipment: [null] });
    await isRefused(
      WORKOUT,
      "equipment[0].id",
      { equipment: [{}] },
      { equipment: [{ id: 1 }] },
      { equipment: [{ id: "x" }] },
    );
  });
  rule(
    ["Workout / equipment . 3", "Rules for saving / 2", "Limits / Pieces of equipment per workout"],
    "one piece or none; a second is refused, says how many may be, and nothing is saved",
    async () => {
      const [one, other] = [
        await ann.save(EQUIPMENT, { activityID: 10 }),
        await ann.save(EQUIPMENT, { activityID: 10 }),
      ];
      const before = (await ann.send("GET", WORKOUTS)).json.data.numEntries;
      const body = { ...RUN, equipment: [{ id: one }, { id: other }] };
      const posted = await ann.send("POST", WORKOUTS, { body });
      expect([posted.status, posted.json]).toEqual([400, { code: 3, message: "equipment: takes at most 1" }]);
      expect((await ann.send("GET", WORKOUTS)).json.data.numEntries).toBe(before);
      const id = await ann.save(WORKOUTS, { ...RUN, equipment: [{ id: one }] });
      expect((await ann.send("PUT", `${WORKOUTS}/${id}`, { body })).json).toEqual(posted.json);
      expect((await ann.send("GET", `${WORKOUTS}/${id}`)).json.data.workout.equipment.id).toBe(one);
      expect(await savedAndShown(WORKOUT, { equipment: [] })).not.toHaveProperty("equipment");
    },
  );
  rule("Workout / equipment . 4", "a get has the piece's id and name", async () => {
    const id = await ann.save(EQUIPMENT, { activityID: 10, brandName: "Acme", modelName: "Fast 3" });
    const shown = await savedAndShown(WORKOUT, { equipment: [{ id, name: "Slow" }] });
    expect(shown.equipment).toEqual({ id, name: "Acme Fast 3" });
  });
  rule("Workout / details", "distance, a measure, and duration, a number with its fraction", async () => {
    for (const details of [
      { distance: { unit: "km", value: 10.25 }, duration: 2112.99 },
      { duration: 3277 },
      { distance: { unit: "m", value: 0 }, duration: 0 },
    ]) {
      expect((await savedAndShown(WORKOUT, { details })).details).toEqual(details);
    }
    await isRefused(WORKOUT, "details", ...NO_OBJECT.map((details) => ({ details })));
    await isRefused(WORKOUT, "details.duration", { details: { duration: "30:00" } }, { details: { duration: -1 } });
    await isRefused(WORKOUT, "details.distance", { details: { distance: 5 } });
    await isRefused(WORKOUT, "details.pace", { details: { pace: 5 } });
  });
  rule("Workout / health", "three heart rates, whole numbers, and a weight, a measure", async () => {
    const health = { avgHR: 140, maxHR: 181, restHR: 0, weight: { unit: "lb", value: 151.2 } };
    expect((await savedAndShown(WORKOUT, { health })).health).toEqual(health);
    await isRefused(WORKOUT, "health", ...NO_OBJECT.map((health) => ({ health })));
    for (const name of ["avgHR", "maxHR", "restHR"]) {
      await isRefused(WORKOUT, `health.${name}`, ...NO_INTEGER.map((value) => ({ health: { [name]: value } })));
    }
    await isRefused(WORKOUT, "health.weight", { health: { weight: 151 } });
  });
  rule("Workout / intervalSet", "an id and a name, both text, and a list of intervals", async () => {
    const intervalSet = { id: "set 7", name: "two", intervals: [{ duration: 1 }, { duration: 2 }] };
    expect((await savedAndShown(WORKOUT, { intervalSet })).intervalSet).toEqual(intervalSet);
    await isRefused(WORKOUT, "intervalSet", ...NO_OBJECT.map((intervalSet) => ({ intervalSet })));
    await isRefused(WORKOUT, "intervalSet.id", { intervalSet: { id: 7 } });
    await isRefused(WORKOUT, "intervalSet.name", { intervalSet: { name: 7 } });
    await isRefused(WORKOUT, "intervalSet.intervals", { intervalSet: { intervals: {} } });
  });
  rule(
    "Workout / intervalSet.intervals[]",
    "a distance, a duration and a type, in their order; interval, rest and recovery are types",
    async () => {
      const intervals = [
        { type: "interval", distance: { unit: "m", value: 400 }, duration: 91.79 },
        { type: "rest", duration: 0 },
        { type: "recovery", distance: { unit: "km", value: 0.4 }, duration: 131.79 },
      ];
      expect((await savedAndShown(WORKOUT, { intervalSet: { intervals } })).intervalSet.intervals).toEqual(intervals);
      await isRefused(WORKOUT, "intervalSet.intervals[0]", { intervalSet: { intervals: [1] } });
      for (const [field, interval] of [
        ["duration", { duration: -1 }],
        ["duration", { duration: "1" }],
        ["type", { type: 0 }],
        ["distance", { distance: 400 }],
        ["typ", { typ: "rest" }],
      ] as const) {
        await isRefused(WORKOUT, `intervalSet.intervals[1].${field}`, { intervalSet: { intervals: [{}, interval] } });
      }
    },
  );
  rule("Workout / raceStats", "six whole numbers about a race", async () => {
    const raceStats = {
      fieldPlacement: 12,
      fieldSize: 340,
      groupMaxAge: 39,
      groupMinAge: 35,
      groupPlacement: 1,
      groupSize: 20,
    };
    expect((await savedAndShown(WORKOUT, { raceStats })).raceStats).toEqual(raceStats);
    for (const name of Object.keys(raceStats)) {
      await isRefused(WORKOUT, `raceStats.${name}`, ...NO_INTEGER.map((value) => ({ raceStats: { [name]: value } })));
    }
  });
  rule("Workout / ratings", "effort and quality, whole numbers", async () => {
    const ratings = { effort: 7, quality: 0 };
    expect((await savedAndShown(WORKOUT, { ratings })).ratings).toEqual(ratings);
    for (const name of ["effort", "quality"]) {
      await isRefused(WORKOUT, `ratings.${name}`, ...NO_INTEGER.map((value) => ({ ratings: { [name]: value } })));
    }
  });
  rule(
    "Workout / weather",
    "conditions are flags, true or false, among them the four seen; the temperature is a measure",
    async () => {
      const weather = {
        conditions: { clear: true, overcast: false, snow: true, windy: false },
        temperature: { unit: "F", value: -4.5 },
      };
      expect((await savedAndShown(WORKOUT, { weather })).weather).toEqual(weather);
      await isRefused(WORKOUT, "weather.conditions.clear", { weather: { conditions: { clear: 1 } } });
      await isRefused(WORKOUT, "weather.conditions", { weather: { conditions: ["clear"] } });
      await isRefused(WORKOUT, "weather.temperature", { weather: { temperature: 50 } });
    },
  );
  rule(
    ["Workout / (1)", "Rules for saving / 3"],
    "the names and the id that a get shows change nothing when they are sent back in a save, by POST or PUT",
    async () => {
      const course = await ann.save(COURSES, { name: "Lake" });
      const shoe = await ann.save(EQUIPMENT, { activityID: 10, modelName: "Slow" });
      const body = {
        id: "mine",
        activityID: 10,
        activityName: "Swim",
        workoutID: 1,
        workoutName: 17,
        date: "2020-01-04",
        course: { id: course, name: "Not the lake" },
        equipment: [{ id: shoe, name: "Not slow" }],
      };
      const id = await ann.save(WORKOUTS, body);
      const shown = async () => (await ann.send("GET", `${WORKOUTS}/${id}`)).json.data.workout;
      const expected = {
        id,
        activityID: 10,
        activityName: "Run",
        workoutID: 1,
        workoutName: "Easy",
        date: "2020-01-04",
        course: { id: course, name: "Lake" },
        equipment: { id: shoe, name: "Slow" },
      };
      expect(await shown()).toEqual(expected);
      expect((await ann.send("PUT", `${WORKOUTS}/${id}`, { body })).status).toBe(200);
      expect(await shown()).toEqual(expected);
    },
  );
}
