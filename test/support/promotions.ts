/** A rehearsal and its promotion in the log of a world. Both logs are read by the interface alone. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { startService } from "../../service/server.ts";
import type { World } from "../matrix/world.ts";
import { runHere } from "./here.ts";
import type { NightClock } from "./night-clock.ts";
import type { Ran } from "./rehearsal.ts";

/** All that a command printed. */
export const told = (ran: Ran) => ran.out + ran.err;
/** The folder of the rehearsal. */
export const folderOf = (world: World) => join(world.folder, "private");
/** The option that names it. */
export const outOf = (world: World) => ["--out", folderOf(world)];

/** Rehearses in the folder of a world. */
export async function rehearseIn(
  world: World,
  sources: readonly string[] = [world.sheet],
  flags: readonly string[] = [],
) {
  const words = ["rehearse", ...sources, "--zone", "Europe/Vienna", ...outOf(world), "--no-pages", ...flags];
  const ran = await runHere(world, words);
  expect([0, 3], told(ran)).toContain(ran.code);
  return ran;
}

/** Promotes that rehearsal. */
export function promote(
  world: World,
  flags: readonly string[] = ["--yes", "--json"],
  clock?: NightClock,
): Promise<Ran> {
  const words = ["promote", ...outOf(world), "--settle", "1", ...world.activities, ...flags];
  return runHere(world, words, clock === undefined ? {} : { clock, signal: clock.signal, outputNow: clock.now });
}

/** An object of JSON. */
export type Json = Record<string, unknown>;

/** Reads every record of a log by its interface. The ids and numbers of each log are left out: names stand for them. */
async function walk(url: string, token: string): Promise<readonly string[]> {
  const get = async (path: string): Promise<Json> => {
    const answer = await fetch(`${url}${path}${path.includes("?") ? "&" : "?"}access_token=${token}`);
    return ((await answer.json()) as { data: Json }).data;
  };
  const found: string[] = [];
  for (const [path, member] of [
    ["equipment", "equipment"],
    ["courses", "course"],
    ["workouts", "workout"],
  ] as const) {
    const ids: string[] = [];
    for (;;) {
      const page = await get(`/rest/logs/me/${path}?limit=100&offset=${ids.length}`);
      const entries = page.entries as { id: string }[];
      ids.push(...entries.map(({ id }) => id));
      if (entries.length === 0 || ids.length >= Number(page.numEntries)) break;
    }
    for (const id of ids) found.push(canonical((await get(`/rest/logs/me/${path}/${id}`))[member] as Json));
  }
  return found.toSorted();
}

function canonical(record: Json): string {
  return JSON.stringify(record, (name, value: unknown) => {
    if (["id", "href", "url", "links", "activityID", "createdAt", "updatedAt"].includes(name)) return undefined;
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/** The log of a rehearsal, read the same way. */
export async function rehearsedLog(folder: string): Promise<readonly string[]> {
  const { userId } = JSON.parse(readFileSync(join(folder, "rehearsal.json"), "utf8")) as { userId: string };
  const service = await startService({ database: join(folder, "service.db"), port: 0, host: "127.0.0.1" });
  try {
    return await walk(service.url, await service.operator.addToken(userId));
  } finally {
    await service.close();
  }
}

/** The log of a world, read by the interface. */
export const realLog = ({ service, token }: World) => walk(service.url, token);

/** The distances of the workouts in the log of a world. */
export const distancesOf = async (world: World) =>
  (await world.listed("/rest/logs/me/workouts")).map(
    ({ details }) => (details as { distance: { value: number } }).distance.value,
  );
