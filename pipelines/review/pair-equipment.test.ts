import { expect, onTestFinished, test } from "vitest";
import { type MadeSource, openWorld } from "../../test/support/scripted-log.ts";
import { readPair } from "./pairs.ts";

/** A source with a shoe, and a run with it. */
function source(name: string, shoe: string, time: string | undefined, km: number): MadeSource {
  const origin = { connector: name, archive: name, entry: name };
  const start = time === undefined ? { date: "2024-05-01" } : { date: "2024-05-01", time };
  const value = {
    activity: "run",
    start,
    distance: { unit: "km", value: km },
    duration: 3_300,
    equipment: [`${name} shoe`],
  } as const;
  return {
    name,
    connector: name,
    readings: [
      { kind: "equipment", key: `${name} shoe`, value: { activity: "run", brandName: shoe }, origin },
      { kind: "workout", key: `${name} run`, value, origin },
    ],
  };
}

test("the shoes of a pair are called by their names", async () => {
  const world = openWorld();
  onTestFinished(() => world.close());
  const run = await world.plan([source("notes", "Ghost", undefined, 10), source("watch", "Pegasus", "18:30:00", 9.5)]);
  const pair = run && (await readPair(await world.journal(), run, ["notes run", "watch run"]));
  expect(pair?.fields.find(({ field }) => field === "equipment")?.names).toEqual(
    new Map([
      ["notes shoe", "Ghost"],
      ["watch shoe", "Pegasus"],
    ]),
  );
});

test("a piece that both sources have by one name doesn't differ", async () => {
  const world = openWorld();
  onTestFinished(() => world.close());
  const run = await world.plan([source("notes", "Ghost", undefined, 10), source("watch", "Ghost", "18:30:00", 9.5)]);
  const pair = run && (await readPair(await world.journal(), run, ["notes run", "watch run"]));
  const differing = pair?.fields.filter(({ differs }) => differs).map(({ field }) => field);
  expect(differing).toEqual(["start", "distance"]);
});
