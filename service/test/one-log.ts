/** One log and one user, shared by the tests of a file. */
import { afterAll, beforeAll } from "vitest";
import type { Service } from "../server.ts";
import { type Person, person, service } from "./client.ts";

export let log: Service;
export let ann: Person;

/** Begins the tests of a file with a log of its own. */
export function withOneLog(): void {
  beforeAll(async () => {
    log = await service();
    ann = await person(log);
  });
  afterAll(() => log.close());
}

export const WORKOUTS = "/rest/logs/me/workouts";
export const COURSES = "/rest/logs/me/courses";
export const EQUIPMENT = "/rest/logs/me/equipment";
export const RUN = { activityID: 10, date: "2020-01-01" };
