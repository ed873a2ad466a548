import { expect, test } from "vitest";
import type { Activity } from "../../../transforms/activities.ts";
import { memoryArchive } from "../../containers/memory.ts";
import { connectorNamed } from "../../registry.ts";

const TABLE = `Title,WorkoutType,WorkoutDay,DistanceInMeters,TimeTotalInHours
City,Race,2012-03-11,10000,0.75
Easy,Run,2012-03-12,10000,0.9
`;

async function read(sports: ReadonlyMap<string, Activity>) {
  const rules: string[] = [];
  const archive = memoryArchive("a", { "workouts.csv": TABLE });
  const report = ({ rule }: { readonly rule: string }) => rules.push(rule);
  const context = { signal: new AbortController().signal, report, sports };
  const workouts: unknown[] = [];
  for await (const reading of connectorNamed("trainingpeaks")?.read(archive, context) ?? [])
    workouts.push(reading.kind === "workout" ? reading.value : reading);
  return { workouts, rules };
}

test("a race in the table is a run of the type race, with a remark", async () => {
  expect(await read(new Map())).toMatchObject({
    workouts: [{ activity: "run", type: "race" }, { activity: "run" }],
    rules: ["trainingpeaks/race"],
  });
});

test("a race in the table has the sport that a person says, without a remark", async () => {
  expect(await read(new Map([["race", "bike"]]))).toMatchObject({
    workouts: [{ activity: "bike", type: "race" }, { activity: "run" }],
    rules: [],
  });
});
