/** Golden Cheetah: an earlier version gave each ride of a file the start that the file's name says. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Rehearsal, rehearse } from "./support/rehearsal.ts";

let rehearsal: Rehearsal;
beforeEach(async () => {
  rehearsal = await rehearse();
});
afterEach(() => rehearsal.close());

const ride = (time: string, km: number, tag = "") =>
  `"RIDE":{"STARTTIME":"2016\\/07\\/01 ${time} UTC ","RECINTSECS":1,"TAGS":{"Sport":"Run "${tag}},"SAMPLES":[{"SECS":0,"KM":0},{"SECS":${km * 300},"KM":${km}}]}`;

test("the second ride of a file that has the first one's start in the log is put right by a later import, and not doubled", async () => {
  const name = "2016_07_01_08_00_00.json";
  const activities = join(rehearsal.folder, "Jo", "activities");
  mkdirSync(activities, { recursive: true });
  const load = async (tag: string) => {
    writeFileSync(join(activities, name), `{${ride("06:00:00", 5)},\n${ride("08:15:00", 2, tag)}}`);
    const words = ["import", join(rehearsal.folder, "Jo"), "--zone", "UTC", ...rehearsal.activities];
    const ran = await rehearsal.run(words);
    expect(ran.code, ran.out + ran.err).toBe(0);
    return (await rehearsal.listed("/rest/logs/me/workouts")).map(({ time }) => time).toSorted();
  };
  // The tag makes the start that the earlier version took from the name of the file.
  expect(await load(`,"Filename":"${name} "`)).toEqual(["08:00:00", "08:00:00"]);
  expect(await load("")).toEqual(["08:00:00", "10:15:00"]);
});
