/** Fills a log of the service with every field of the interface. It uses units of its own, names that are alike, and texts that are easily lost. */
import { ODD_TEXTS } from "./full-log.ts";
import type { Rehearsal } from "./rehearsal.ts";

/** The counts of the log's records afterwards. */
export interface Filled {
  readonly workouts: number;
  readonly equipment: number;
  readonly courses: number;
}

/** Writes it, by plain requests that share nothing with the client. */
export async function fillLog(log: Rehearsal): Promise<Filled> {
  const post = async (path: string, body: object): Promise<string> => {
    const answer = await fetch(`${log.service.url}${path}?access_token=${log.token}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const { code, data } = (await answer.json()) as { code: number; data?: { id: string } };
    if (code !== 0 || data === undefined) throw new Error(`POST ${path} answered ${code} to ${JSON.stringify(body)}`);
    return data.id;
  };
  const [logs, store] = ["/rest/logs/me", log.service.store];
  const full = {
    activityID: 10,
    brandName: "Acme",
    modelName: "=Fast",
    serial: "007",
    gender: "F",
    notes: "-1 is no formula",
    ratings: { avgRating: 4.5 },
    purchaseDate: "2020-12-31",
    price: 99.95,
  };
  const shoe = await post(`${logs}/equipment`, full);
  // Two pairs that are alike in everything.
  const duplicates = [
    await post(`${logs}/equipment`, { activityID: 10, brandName: "Acme" }),
    await post(`${logs}/equipment`, { activityID: 10, brandName: "Acme" }),
  ];
  const goggles = await post(`${logs}/equipment`, { activityID: 12, modelName: "Goggles" });
  await log.service.operator.retireEquipment(log.userId, shoe);
  const course = await post(`${logs}/courses`, {
    name: "River, and back",
    notes: "flat\nmostly",
    distance: { unit: "mi", value: 6.2137 },
    surfaces: { asphalt: true, singleTrack: true },
  });
  await post(`${logs}/courses`, { name: "River, and back", distance: { unit: "mi", value: 6.2137 } });
  await post(`${logs}/courses`, { name: "no length" });
  await log.service.operator.addTrainingPlan(log.userId, { name: "Marathon", numWeeks: 16, beginDate: "2024-01-01" });
  const workouts: object[] = [
    {
      activityID: 10,
      workoutID: 6,
      date: "2024-02-29",
      time: "23:59:58",
      notes: "it rained",
      course: { id: course },
      equipment: [{ id: shoe }],
      details: { distance: { unit: "m", value: 10_254.5 }, duration: 2112.99 },
      health: { avgHR: 160, maxHR: 299, restHR: 0, weight: { unit: "kg", value: 61.55 } },
      intervalSet: {
        name: "two",
        intervals: [
          { type: "interval", distance: { unit: "m", value: 400 }, duration: 91.79 },
          { type: "rest", duration: 60 },
          { type: "stride", distance: { unit: "mi", value: 0.0625 } },
          { duration: 5 },
        ],
      },
      raceStats: {
        fieldPlacement: 12,
        fieldSize: 340,
        groupMinAge: 40,
        groupMaxAge: 44,
        groupPlacement: 2,
        groupSize: 31,
      },
      ratings: { effort: 0, quality: 10 },
      weather: {
        conditions: { clear: true, snow: false, windy: true, partlyCloudy: true },
        temperature: { unit: "C", value: -1.55 },
      },
    },
    // Kinds of training that no assumption knows the number of.
    { activityID: 10, workoutID: 2, date: "2024-03-01", time: "00:00:00" },
    {
      activityID: 12,
      workoutID: 3,
      date: "2024-03-01",
      details: { distance: { unit: "m", value: 1500 } },
      equipment: [{ id: goggles }],
    },
    {
      activityID: 11,
      workoutID: 7,
      date: "2024-03-02",
      details: { distance: { unit: "mi", value: 20.125 }, duration: 0 },
    },
    // A rest day's note, and a record without content.
    { activityID: 13, date: "2024-03-03", notes: "rest" },
    // Only flags that are set to false.
    { activityID: 10, date: "2024-02-28", weather: { conditions: { overcast: false, windy: false } } },
    { activityID: 10, date: "1999-12-31" },
    // Equal workouts.
    ...duplicates.map((id) => ({
      activityID: 10,
      date: "2024-03-04",
      time: "07:00:00",
      equipment: [{ id }],
      details: { distance: { unit: "km", value: 5 }, duration: 1500 },
    })),
    { activityID: 10, date: "2024-03-05", intervalSet: { intervals: [{ type: "rest", duration: 30 }] } },
    ...ODD_TEXTS.map((notes, index) => ({
      activityID: 11,
      date: `2023-07-${String(1 + index).padStart(2, "0")}`,
      notes,
    })),
  ];
  // An activity of the owner's own. Another log doesn't have its number.
  for (const activity of (await store.activities(log.userId)).filter(
    ({ name }) => name === "hike" || name === "yoga",
  )) {
    workouts.push({ activityID: activity.id, date: "2024-04-01", notes: activity.name });
  }
  for (const workout of workouts) await post(`${logs}/workouts`, workout);
  return { workouts: workouts.length, equipment: 4, courses: 3 };
}
