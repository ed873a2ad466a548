/** The certificate of a world, and what happens to its log in between. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { World } from "../matrix/world.ts";
import type { Ran } from "./rehearsal.ts";

/** All that a command printed. */
export const told = (ran: Ran) => ran.out + ran.err;
/** Where the certificate of a world is written. */
export const pathOf = (world: World) => join(world.folder, "certificate.json");

/** The certificate as any program reads it. */
export interface Read {
  readonly classes: readonly { readonly class: string; readonly count: number }[];
  readonly inventory: {
    readonly records: number;
    readonly isBeforeFirstWrite: boolean;
    readonly sources: { readonly files: number }[];
  };
  readonly verdict: {
    readonly canClose: boolean;
    readonly sentence: string;
    readonly cutOff: string;
    readonly obstacles: readonly {
      readonly code: string;
      readonly count: number;
      readonly text: string;
      readonly todo?: string;
    }[];
  };
  readonly acceptance: {
    readonly isOfPlan: boolean;
    readonly conditions: string[];
    readonly hash: string;
    readonly earlier: unknown[];
  };
  readonly levels: readonly { readonly level: string; readonly isReached?: boolean }[];
  readonly sinceThen: { readonly added: string[]; readonly changed: string[]; readonly gone: string[] };
  readonly records: readonly {
    readonly id: string;
    readonly class: string;
    readonly kind: string;
    readonly logId?: string;
    readonly origin: { readonly locator?: string };
    readonly differs?: string[];
    readonly lacks?: string[];
    readonly keeps?: string[];
  }[];
  readonly otherRuns: readonly { readonly run: number; readonly records: number }[];
  readonly notAdded: { readonly workouts: number };
  readonly signature: { readonly publicKey: string; readonly sha256: string; readonly value: string };
}

/** Issues the certificate of the last run. */
export async function certified(world: World, flags: readonly string[] = []): Promise<{ ran: Ran; read: Read }> {
  const ran = await world.run(["certify", pathOf(world), ...flags]);
  return { ran, read: JSON.parse(readFileSync(pathOf(world), "utf8")) as Read };
}

/** The number of records in each class. */
export const countsOf = ({ classes }: Read) => Object.fromEntries(classes.map((row) => [row.class, row.count]));

interface Shown {
  readonly timeOfDay?: string;
  readonly equipment?: { readonly id: string };
}

/** Changes a workout in the log as its owner would, by the service's own interface. */
export async function edit(
  world: Pick<World, "service" | "token" | "get">,
  id: string,
  values: Readonly<Record<string, unknown>>,
): Promise<void> {
  const address = `${world.service.url}/rest/logs/me/workouts/${id}?access_token=${world.token}`;
  const workout = await world.get(`/rest/logs/me/workouts/${id}`);
  const { timeOfDay: time, equipment, ...others } = workout.workout as Shown;
  const shoe = equipment === undefined ? undefined : [{ id: equipment.id }];
  const body = { ...others, time, equipment: shoe, ...values };
  const answer = await fetch(address, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  expect(answer.ok, await answer.clone().text()).toBe(true);
}

/** Types a workout into the log, as its owner or another program does. @returns its id */
export async function typed(world: World, workout: Readonly<Record<string, unknown>>): Promise<string> {
  const answer = await fetch(`${world.service.url}/rest/logs/me/workouts?access_token=${world.token}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ activityID: 10, ...workout }),
  });
  const { code, data } = (await answer.json()) as { code: number; data: { id: string } };
  expect(code).toBe(0);
  return data.id;
}
