/** The document's tables of a course, a piece of equipment, a user, a preference and a training plan, row by row. */
import { expect } from "vitest";
import { comesBack, isIgnored, isRefused, type Kind, savedAndShown } from "./fields.ts";
import {
  ann,
  COURSES,
  EQUIPMENT,
  log,
  noRule,
  PLANS,
  PREFERENCE,
  RUN,
  rule,
  someone,
  USER,
  WORKOUTS,
  withToken,
} from "./harness.ts";

const COURSE: Kind = { path: COURSES, name: "course", least: { name: "Loop" } };
const PIECE: Kind = { path: EQUIPMENT, name: "equipment", least: { activityID: 10 } };
const NO_TEXT = [1, true, null, {}, ["a"]];
const NO_OBJECT = ["a", 1, null, []];

export function courseRules(): void {
  rule("Course / id", "a get has the id as text; in a save it is ignored", async () => {
    expect(typeof (await savedAndShown(COURSE, {})).id).toBe("string");
    await isIgnored(COURSE, "id");
  });
  for (const name of ["name", "notes"]) {
    rule(`Course / ${name}`, "text comes back as it was saved", async () => {
      for (const text of ["Hill", "Zürich → 東京 🏔", "a\nb"]) await comesBack(COURSE, { [name]: text });
      await isRefused(COURSE, name, ...NO_TEXT.map((value) => ({ [name]: value })));
    });
  }
  rule("Course / distance", "a measure comes back as it was saved", async () => {
    await comesBack(COURSE, { distance: { unit: "mi", value: 6.2137 } });
    await isRefused(COURSE, "distance", { distance: 10 }, { distance: "10 km" });
  });
  rule("Course / surfaces", "flags, true or false, asphalt among them", async () => {
    await comesBack(COURSE, { surfaces: { asphalt: true, trail: false } });
    await isRefused(COURSE, "surfaces", ...["a", 1, null, ["asphalt"]].map((surfaces) => ({ surfaces })));
    await isRefused(COURSE, "surfaces.asphalt", { surfaces: { asphalt: "yes" } });
  });
  rule("Course / (1)", "a gpx file becomes the course's map, and the course stays what it was", async () => {
    const id = await ann.save(COURSES, { name: "Mapped", notes: "n" });
    const gpx = '<gpx version="1.1"><rte><rtept lat="1" lon="2"/><rtept lat="1" lon="3"/></rte></gpx>';
    expect((await ann.send("POST", `${COURSES}/${id}/gpx`, { body: gpx })).status).toBe(200);
    expect((await log.store.courseMap(ann.userId, id))?.format).toBe("gpx");
    expect((await ann.send("GET", `${COURSES}/${id}`)).json.data.course).toEqual({ id, name: "Mapped", notes: "n" });
  });
}

export function equipmentRules(): void {
  rule("Equipment / id", "a get has the id as text; in a save it is ignored", async () => {
    expect(typeof (await savedAndShown(PIECE, {})).id).toBe("string");
    await isIgnored(PIECE, "id");
  });
  rule("Equipment / activityID", "a whole number that names an activity", async () => {
    for (const activityID of [10, 11, 100]) await comesBack(PIECE, { activityID });
    await isRefused(PIECE, "activityID", ...["10", 1.5, null, 99].map((activityID) => ({ activityID })));
  });
  for (const [id, name] of [
    ["brandID", "brandName"],
    ["modelID", "modelName"],
  ] as const) {
    rule(`Equipment / ${id}`, "text that a get and the listing have; in a save it is ignored", async () => {
      const shown = await savedAndShown(PIECE, { [name]: "Acme" });
      expect(shown[id]).toMatch(/./);
      const bob = await someone();
      await bob.save(EQUIPMENT, { activityID: 10, [name]: "Acme" });
      expect((await bob.send("GET", EQUIPMENT)).json.data.entries[0][id]).toMatch(/./);
      await isIgnored(PIECE, id);
    });
    rule(`Equipment / ${name}`, "text comes back as it was saved", async () => {
      await comesBack(PIECE, { [name]: "Fast 3 “µ”" });
      await isRefused(PIECE, name, ...NO_TEXT.map((value) => ({ [name]: value })));
    });
  }
  for (const name of ["serial", "gender", "notes"]) {
    rule(
      `Equipment / ${name}`,
      name === "gender" ? "text, a single letter" : "text comes back as it was saved",
      async () => {
        await comesBack(PIECE, { [name]: "F" });
        await isRefused(PIECE, name, ...NO_TEXT.map((value) => ({ [name]: value })));
      },
    );
  }
  rule("Equipment / ratings", "an average, a number with its fraction", async () => {
    await comesBack(PIECE, { ratings: { avgRating: 4.5 } });
    await isRefused(PIECE, "ratings", ...NO_OBJECT.map((ratings) => ({ ratings })));
    await isRefused(PIECE, "ratings.avgRating", { ratings: { avgRating: "4" } });
  });
  rule(
    "Equipment / distance",
    "what the distances of its workouts add up to, whatever their units, in a get and in the listing; in a save it is ignored",
    async () => {
      const bob = await someone();
      const shoe = await bob.save(EQUIPMENT, { activityID: 10, distance: { unit: "km", value: 500 } });
      const ran = (distance: object) => ({ ...RUN, equipment: [{ id: shoe }], details: { distance } });
      await bob.save(WORKOUTS, ran({ unit: "km", value: 5 }));
      await bob.save(WORKOUTS, ran({ unit: "m", value: 400 }));
      const mile = await bob.save(WORKOUTS, ran({ unit: "mi", value: 1 }));
      const totals = async () => [
        (await bob.send("GET", `${EQUIPMENT}/${shoe}`)).json.data.equipment.distance,
        (await bob.send("GET", EQUIPMENT)).json.data.entries[0].distance,
      ];
      // 5,000 m, 400 m, and a mile of 1,609.344 m.
      expect(await totals()).toEqual(Array(2).fill({ unit: "m", value: 7009.344 }));
      await bob.send("PUT", `${WORKOUTS}/${mile}`, { body: RUN });
      expect(await totals()).toEqual(Array(2).fill({ unit: "m", value: 5400 }));
      await isIgnored(PIECE, "distance");
    },
  );
  rule("Equipment / purchaseDate", "a day comes back as it was saved", async () => {
    await comesBack(PIECE, { purchaseDate: "2019-12-31" });
    await isRefused(PIECE, "purchaseDate", { purchaseDate: "yesterday" }, { purchaseDate: 2019 });
  });
  rule("Equipment / price", "a number comes back as it was saved", async () => {
    for (const price of [0, 119.95, 200]) await comesBack(PIECE, { price });
    await isRefused(PIECE, "price", { price: "119.95" }, { price: -1 });
  });
}

const PERSON = {
  birthDate: "1980-05-06",
  email: "ann@example.com",
  givenName: "Ann",
  familyName: "Example",
  gender: "F",
};

export function userRules(): void {
  const userData = async () => {
    const userId = await log.operator.addUser({ screenName: "ann", person: PERSON, preference: { utcOffset: -3.5 } });
    return (await withToken(userId, await log.operator.addToken(userId)).send("GET", USER)).json.data;
  };
  rule("User / screenName", "text", async () => expect((await userData()).screenName).toBe("ann"));
  rule("User / person", "five fields, all text, the birth date a day", async () =>
    expect((await userData()).person).toEqual(PERSON),
  );
  rule("User / preference", "the user's Preference", async () =>
    expect((await userData()).preference).toEqual({ utcOffset: -3.5 }),
  );
}

export function preferenceRules(): void {
  const saved = (body: object) => ann.send("PUT", PREFERENCE, { body });
  const shown = async () => (await ann.send("GET", PREFERENCE)).json.data.preference;
  const refusedField = async (body: object) => (await saved(body)).json.message.split(": ")[0];
  rule("Preference / utcOffset", "a number of hours from UTC, with its fraction", async () => {
    for (const utcOffset of [0, 5.75, -3.5, 14, -12]) {
      await saved({ utcOffset });
      expect(await shown()).toEqual({ utcOffset });
    }
    for (const utcOffset of ["1", null, 14.25, -12.5]) expect(await refusedField({ utcOffset })).toBe("utcOffset");
  });
  for (const [name, unit] of [
    ["distanceUnit", "mi"],
    ["weightUnit", "lb"],
    ["temperatureUnit", "F"],
  ] as const) {
    rule(`Preference / ${name}`, `text, a unit; ${unit} is one`, async () => {
      await saved({ [name]: unit });
      expect(await shown()).toEqual({ [name]: unit });
      for (const wrong of ["furlong", 1, null]) expect(await refusedField({ [name]: wrong })).toBe(name);
    });
  }
}

const PLAN = { name: "Marathon", beginDate: "2024-01-01", endDate: "2024-04-21", numWeeks: 16 };

export function planRules(): void {
  const listed = async (plan: Parameters<typeof log.operator.addTrainingPlan>[1]) => {
    const bob = await someone();
    await log.operator.addTrainingPlan(bob.userId, plan);
    return (await bob.send("GET", PLANS)).json.data.entries[0];
  };
  rule("Training plan / id", "text, another for each plan", async () => {
    const [one, other] = [await listed(PLAN), await listed(PLAN)];
    expect([typeof one.id, typeof other.id]).toEqual(["string", "string"]);
    expect(one.id).not.toBe(other.id);
  });
  for (const [name, says] of [
    ["name", "text"],
    ["beginDate", "a day"],
    ["endDate", "a day"],
    ["numWeeks", "a whole number"],
  ] as const) {
    rule(`Training plan / ${name}`, says, async () => expect((await listed(PLAN))[name]).toBe(PLAN[name]));
  }
  rule("Training plan / attributes", "flags: commercial, private", async () => {
    expect((await listed({ ...PLAN, attributes: { private: true } })).attributes).toEqual({ private: true });
    expect((await listed(PLAN)).attributes).toBeUndefined();
  });
  rule(
    ["Training plan / (1)", "Training plan / (2)"],
    "nobody but its user sees a commercial plan, nor a private one",
    async () => {
      const [bob, cat] = [await someone(), await someone()];
      for (const attributes of [{ commercial: true }, { private: true }]) {
        await log.operator.addTrainingPlan(bob.userId, { ...PLAN, attributes });
      }
      expect((await cat.send("GET", PLANS)).json.data).toEqual({ entries: [], numEntries: 0 });
    },
  );
  noRule(
    ["Training plan / (1)", "Training plan / (2)"],
    "no operation makes a plan public, and the service shows no plan to others: there is nothing to change",
  );
  const SILENT = "the document says that it is silent here; what the service does instead is in `service/gaps.ts`";
  noRule(
    [1, 2, 3, 4].map((item) => `Gaps in the field definitions / (${item})`),
    SILENT,
  );
  noRule("States and transitions / (1)", "there is none to hold; lifetimes are held under Credential lifetimes");
}
