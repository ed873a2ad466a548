/** The device files, imported into the service over real HTTP. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { person, service } from "../../service/test/client.ts";
import { CORPUS } from "../support/shared.ts";

const WORKOUTS = "/rest/logs/me/workouts";

/** The values that independent decoders agree on, for the files they all read. */
const truths = readFileSync(join(CORPUS, "TRUTH.jsonl"), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));

/** Metres in an app's own field, which the decoders leave out. The watch wrote 0. */
const OF_AN_APP: Readonly<Record<string, number>> = {
  "fit/GoldenCheetah__GoldenCheetah/test/rowing/RowingCIQspeed.FIT": 5120,
};

test("every file is imported or refused with a reason; starts and distances are those the decoders agree on", async () => {
  const log = await service();
  const bob = await person(log);
  const wrong: string[] = [];
  let compared = 0;
  for (const { path, kind, agreed } of truths) {
    const file = join(CORPUS, path);
    if (!existsSync(file)) continue;
    const answer = await bob.send("POST", `${WORKOUTS}/${kind}`, { body: readFileSync(file) });
    if (![200, 400].includes(answer.status)) wrong.push(`${path}: ${answer.status} ${answer.text}`);
    if (answer.status !== 200 || agreed?.n_sessions !== 1 || answer.json.data.ids.length !== 1) continue;
    const { workout } = (await bob.send("GET", `${WORKOUTS}/${answer.json.data.ids[0]}`)).json.data;
    const start = Date.parse(`${workout.date}T${workout.timeOfDay}Z`) / 1000;
    if (typeof agreed.start === "number") {
      compared++;
      if (Math.abs(start - agreed.start) > 1) wrong.push(`${path}: starts at ${start}, agreed ${agreed.start}`);
    }
    const metres = workout.details?.distance?.value;
    if (typeof agreed.distance_m === "number" && metres !== undefined) {
      compared++;
      const right = OF_AN_APP[path] ?? agreed.distance_m;
      if (Math.abs(metres - right) > Math.max(1, right / 100)) wrong.push(`${path}: ${metres} m, agreed ${right}`);
    }
  }
  await log.close();
  expect(compared).toBeGreaterThan(100);
  expect(wrong).toEqual([]);
});
