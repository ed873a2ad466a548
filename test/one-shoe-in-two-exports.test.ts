import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect } from "vitest";
import { jsonLines } from "./support/cli.ts";
import { type Ran, type Rehearsal, rehearse } from "./support/rehearsal.ts";
import { longTest, rowTest, test } from "./support/tier-tests.ts";
import { firstOf } from "./support/tiers.ts";

// An export of Strava and an export of Garmin have the same shoe. Garmin says when it was bought, and Strava doesn't. By the real command line.

let rehearsal: Rehearsal;
beforeEach(async () => {
  rehearsal = await rehearse();
});
afterEach(() => rehearsal.close());

function folderOf(name: string): string {
  const folder = join(rehearsal.folder, name);
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** An export of Strava: shoes by name, brand and model, and a run in the first. */
function strava(...shoes: readonly string[]): string {
  const folder = folderOf("strava");
  const [, brand, model] = (shoes[0] ?? "").split(",");
  writeFileSync(join(folder, "shoes.csv"), `Shoe Name,Shoe Brand,Shoe Model\n${shoes.join("\n")}\n`);
  writeFileSync(
    join(folder, "activities.csv"),
    `Activity ID,Activity Date,Activity Name,Activity Type,Activity Description,Elapsed Time,Distance,Relative Effort,Commute,Activity Gear,Filename
1,"May 4, 2024, 5:10:05 AM",Morning,Run,,1500,4.20,,false,${brand} ${model},
`,
  );
  return folder;
}

interface GarminShoe {
  readonly make: string;
  readonly model: string;
  readonly bought?: string;
}

/** An export of Garmin: shoes, and a run in each. */
function garmin(...shoes: readonly GarminShoe[]): string {
  const folder = folderOf("garmin");
  const gearDTOS = shoes.map(({ make, model, bought }, index) => ({
    gearPk: index + 1,
    gearTypeName: "Shoes",
    gearStatusName: "active",
    gearMakeName: make,
    gearModelName: model,
    ...(bought !== undefined && { dateBegin: `${bought}T00:00:00.0` }),
  }));
  const gearActivityDTOs = Object.fromEntries(shoes.map((_, i) => [i + 1, [{ gearPk: i + 1, activityId: 70 + i }]]));
  const runs = shoes.map((_, index) => ({
    activityId: 70 + index,
    activityType: "running",
    startTimeLocal: `2025-02-0${index + 1}T17:06:03`,
    duration: 1_800_000,
    distance: 500_000,
  }));
  writeFileSync(join(folder, "x_gear.json"), JSON.stringify([{ gearDTOS, gearActivityDTOs }]));
  writeFileSync(join(folder, "x_0_summarizedActivities.json"), JSON.stringify([{ summarizedActivitiesExport: runs }]));
  return folder;
}

const PEGASUS: GarminShoe = { make: "NIKE", model: "Pegasus  38", bought: "2024-03-01" };

const load = (...words: string[]): Promise<Ran> =>
  rehearsal.run(["import", "--zone", "Europe/Vienna", ...rehearsal.activities, ...words]);

/** Models in the log. */
const shoesInLog = async () =>
  (await rehearsal.listed("/rest/logs/me/equipment")).map(({ modelName }) => String(modelName)).sort();

/** The number of pieces of equipment that the workouts of the log name. Each counts once. */
async function shoesWorn(): Promise<number> {
  const worn = new Set<unknown>();
  for (const { id } of await rehearsal.listed("/rest/logs/me/workouts")) {
    const { workout } = await rehearsal.get(`/rest/logs/me/workouts/${id}`);
    const { equipment } = workout as { readonly equipment?: { readonly id: unknown } };
    if (equipment !== undefined) worn.add(equipment.id);
  }
  return worn.size;
}

rowTest.each(firstOf(1, ["Strava", "Garmin"]))(
  "a shoe of two exports that are imported one after the other, %s first, is one in the log, and the plan says so",
  async (first) => {
    const sources = [strava("Peg,Nike,Pegasus 38"), garmin(PEGASUS)];
    const [one = "", other = ""] = first === "Strava" ? sources : sources.toReversed();
    expect((await load(one)).code).toBe(0);
    const plan = await rehearsal.run(["plan", other]);
    expect(plan.out).toMatch(/is taken for the one of this name in your log \(\w+\), expected the same piece/);
    const ran = await load(other);
    expect(ran.code, ran.out + ran.err).toBe(0);
    expect(await shoesInLog()).toHaveLength(1);
    expect(await shoesWorn()).toBe(1);
    expect((await load(one, other)).code).toBe(0);
    expect(await shoesInLog()).toHaveLength(1);
    expect((await rehearsal.run(["verify"])).code).toBe(0);
  },
);

longTest("in one import it is one, too", async () => {
  const ran = await load("--json", strava("Peg,Nike,Pegasus 38"), garmin(PEGASUS));
  expect(ran.code, ran.out + ran.err).toBe(0);
  const records = jsonLines(ran.out).filter(({ type, kind }) => type === "record" && kind === "equipment");
  expect(records.map(({ reason }) => reason)).toContainEqual(
    expect.stringMatching(/^the same equipment \(one of this name in each source\) as in strava shoes\.csv line 2/),
  );
  expect(await shoesInLog()).toHaveLength(1);
  expect(await shoesWorn()).toBe(1);
  const again = await load("--json", strava("Peg,Nike,Pegasus 38"), garmin(PEGASUS));
  const ledger = jsonLines(again.out).findLast(({ type }) => type === "summary")?.ledger;
  expect(ledger).toMatchObject({ unchanged: 3, merged: 1, updated: 0 });
  expect((await rehearsal.run(["verify"])).code).toBe(0);
});

test("of two shoes for one run the log keeps one, and the other is counted among what the log can't hold", async () => {
  const hoka = { make: "HOKA", model: "Clifton 9", bought: "2024-03-01" };
  const folder = garmin(hoka);
  writeFileSync(
    join(folder, "x_0_summarizedActivities.json"),
    JSON.stringify([
      {
        summarizedActivitiesExport: [
          {
            activityId: 70,
            activityType: "running",
            startTimeLocal: "2024-05-04T07:10:05",
            duration: 1_500_000,
            distance: 420_000,
          },
        ],
      },
    ]),
  );
  const ran = await load("--json", strava("Peg,Nike,Pegasus 38"), folder);
  expect(ran.code, ran.out + ran.err).toBe(0);
  expect(await rehearsal.listed("/rest/logs/me/workouts")).toHaveLength(1);
  expect(await shoesWorn()).toBe(1);
  expect(jsonLines(ran.out)).toContainEqual({
    type: "loss",
    fields: [{ field: "second equipment", count: 1, because: "no field" }],
    values: 1,
  });
});

longTest("of two pairs of one model nobody knows which is meant, and bought on two days they are two", async () => {
  await load(garmin(PEGASUS, { ...PEGASUS, bought: "2025-01-01" }));
  expect(await shoesInLog()).toHaveLength(2);
  const ran = await load(strava("Peg,Nike,Pegasus 38"));
  expect(ran.out).not.toContain("is taken for the one of this name");
  expect(await shoesInLog()).toHaveLength(3);
});

test("a second pair of a model that was bought later is another shoe", async () => {
  await load(garmin(PEGASUS));
  const words = ["import", "--zone", "Europe/Vienna", garmin({ ...PEGASUS, bought: "2025-01-01" })];
  await rehearsal.run(words, { journal: join(rehearsal.folder, "another.db") });
  expect(await shoesInLog()).toHaveLength(2);
});

test("two shoes of one name without any day of purchase are two by the platform's numbers, each with its own mileage", async () => {
  const unknown = { make: "NIKE", model: "Pegasus" };
  for (const _ of ["first import", "the same once more"]) {
    expect(await load(garmin(unknown, unknown))).toMatchObject({ code: 0 });
    const all = await rehearsal.listed("/rest/logs/me/equipment");
    const kilometres = all.map(({ distance }) => (distance as { value: number }).value / 1000);
    expect([all.length, kilometres.map(Math.round), await shoesWorn()]).toEqual([2, [5, 5], 2]);
  }
});
