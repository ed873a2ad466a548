/**
 * The tools of the conformance tests. A rule names its place in the interface document, says it in our words, and is a test over real
 * HTTP. A sentence that is no rule is listed with the reason. `docs/conformance.md` is made of both.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { DemoOptions } from "../../demo.ts";
import type { Service } from "../../server.ts";
import { type Answer, type Person, person, type Sending, send, service } from "../client.ts";
import { type Checker, checkerOf } from "./described.ts";

/** A place of the document, and this project's entry for it. */
export interface Entry {
  /** `Section / item`, or `Section / item . n` for one sentence of several. */
  readonly at: string;
  readonly says: string;
  /** The result of the test; `no rule` where there is nothing to test. */
  result: "not run" | "holds" | "FAILS" | "no rule";
}

/** All entries, in the order of the calls. */
export const entries: Entry[] = [];

/**
 * A rule of the document as a test.
 *
 * @param at the place or places the rule comes from
 * @param says the rule in our words
 */
export function rule(at: string | readonly string[], says: string, body: () => Promise<void>): void {
  const mine = [at].flat().map((place): Entry => ({ at: place, says, result: "not run" }));
  entries.push(...mine);
  test(`${mine[0]?.at}: ${says}`, async () => {
    for (const entry of mine) entry.result = "FAILS";
    await body();
    for (const entry of mine) entry.result = "holds";
  });
}

/** Lists a sentence that sets no rule, or that no test can check, with the reason. */
export function noRule(at: string | readonly string[], why: string): void {
  for (const place of [at].flat()) entries.push({ at: place, says: why, result: "no rule" });
}

/** The service that all rules of a run are compared with, and a user with a token. Set before the first rule runs. */
export let log: Service;
export let ann: Person;
let checker: Checker;

/** The difference between the service's clock and the machine's. */
export const clock = { aheadMs: 0 };

/** Starts the service that the rules ask. Each of its answers must be one that its own description foresees. */
export function askOneService(): void {
  beforeAll(async () => {
    log = await service({ now: () => Date.now() + clock.aheadMs });
    checker = await checkerOf(log.url);
    ann = await someone({ activities: ["Orienteering"] });
  });
  afterAll(() => log.close());
}

/** A new user. Each answer to this user is checked against the description. */
export async function someone(options: DemoOptions = {}): Promise<Person> {
  const plain = await person(log, options);
  return withToken(plain.userId, plain.token);
}

/** The same with a token of the caller's choice. */
export function withToken(userId: string, token: string): Person {
  const sendAs = async (method: string, path: string, sending: Sending = {}): Promise<Answer> => {
    const answer = await send(log.url, method, path, {
      ...sending,
      query: { access_token: token, ...sending.query },
    });
    checker.check(method, path, answer);
    return answer;
  };
  const save = async (path: string, body: object): Promise<string> => {
    const answer = await sendAs("POST", path, { body });
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
    return answer.json.data.id;
  };
  return { userId, token, send: sendAs, save };
}

/** Checks that an answer is one the service's description foresees. It is for answers to requests that no `Person` sent. */
export function expectDescribed(method: string, path: string, answer: Answer): void {
  checker.check(method, path, answer);
}

/** Every operation and status so far, as `GET /rest/users/me 200`. */
export function seenAnswers(): ReadonlySet<string> {
  return checker.seen;
}

/** The operations of the description, as `GET /rest/users/me`. */
export function describedOperations(): readonly string[] {
  return checker.operations;
}

export const WORKOUTS = "/rest/logs/me/workouts";
export const COURSES = "/rest/logs/me/courses";
export const EQUIPMENT = "/rest/logs/me/equipment";
export const PLANS = "/rest/logs/me/training_plans";
export const USER = "/rest/users/me";
export const PREFERENCE = "/rest/users/me/preference";

/** The smallest body of a workout. */
export const RUN = { activityID: 10, date: "2020-01-01" } as const;
