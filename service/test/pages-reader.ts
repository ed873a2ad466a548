/** A log with a reader of its pages, and runs to save in it. */
import { afterAll, beforeAll } from "vitest";
import type { Service } from "../server.ts";
import { service } from "./client.ts";
import { type Reader, reader } from "./reader.ts";

export let log: Service;
export let ann: Reader;

/** Gives the tests of a file a log of their own, whose owner reads its pages. */
export function withReader(): void {
  beforeAll(async () => {
    log = await service();
    ann = await reader(log, { screenName: "ann", units: "kilometres" });
  });
  afterAll(() => log.close());
}

export const WORKOUTS = "/rest/logs/me/workouts";
export const COURSES = "/rest/logs/me/courses";
export const EQUIPMENT = "/rest/logs/me/equipment";

/** A run of so many kilometres and seconds. */
export function run(date: string, km: number, seconds: number, more: object = {}): object {
  return {
    activityID: 10,
    date,
    details: { distance: { unit: "km", value: km }, duration: seconds },
    ...more,
  };
}
