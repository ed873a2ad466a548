/**
 * A coach's team: athletes with a log, a token file and an archive of watch files each. All are made up here, so that a test knows which workouts
 * belong in which log.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { MadeActivity } from "../../fixtures/make/athlete/activity.ts";
import { PLACES } from "../../fixtures/make/athlete/places.ts";
import { writeFit } from "../../fixtures/make/fit.ts";
import { randomFrom } from "../../fixtures/make/random.ts";
import { record } from "../../fixtures/make/recording.ts";
import { sportNamed } from "../../fixtures/make/sports.ts";
import { type ExportStyle, exportEntries } from "../../fixtures/make/strava/export.ts";
import { onStrava } from "../../fixtures/make/strava/files.ts";
import { zipBytes } from "../../fixtures/make/zip.ts";
import type { Service } from "../../service/server.ts";
import { type Reply, type ScriptedServer, startServer } from "./http-server.ts";

/** One athlete of a team. */
export interface Member {
  readonly name: string;
  readonly screenName: string;
  readonly email: string;
  readonly userId: string;
  readonly token: string;
  /** Absolute path. */
  readonly tokenFile: string;
  /** Absolute path of a zip of watch files. */
  readonly archive: string;
  /** Local days and metres of the runs in it, the first first. */
  readonly runs: readonly { readonly date: string; readonly metres: number }[];
}

const DAY = 86_400_000;
const FIRST = Date.UTC(2024, 2, 4, 6);

/**
 * Makes an athlete with a log of their own.
 *
 * @param folder where the token file and the archive go
 * @param number sets this athlete apart from the others: their watch, the ground they run on, their days
 */
export async function addMember(
  service: Service,
  folder: string,
  number: number,
  { name = `Athlete ${number}`, runs = 2 }: { readonly name?: string; readonly runs?: number } = {},
): Promise<Member> {
  mkdirSync(folder, { recursive: true });
  const screenName = `runner_${number}`;
  const email = `runner${number}@example.org`;
  const userId = await service.operator.addUser({
    screenName,
    person: { givenName: "Made", familyName: `Up ${number}`, email },
    preference: { utcOffset: 1, distanceUnit: "km", weightUnit: "kg", temperatureUnit: "C" },
  });
  const token = await service.operator.addToken(userId);
  const tokenFile = join(folder, `token-${number}.txt`);
  writeFileSync(tokenFile, `${token}\n`, { mode: 0o600 });
  const made = Array.from({ length: runs }, (_, index) => madeRun(number, index));
  const archive = join(folder, `watch-${number}.zip`);
  writeFileSync(archive, zipBytes(made.map(({ bytes }, index) => ({ name: `run-${number}-${index}.fit`, bytes }))));
  return {
    name,
    screenName,
    email,
    userId,
    token,
    tokenFile,
    archive,
    runs: made.map(({ date, metres: each }) => ({ date, metres: each })),
  };
}

/** A pace for each of so many athletes: the longest of these runs is 11 km in half an hour. */
const MOST_PACES = 150;

/** A run of half an hour, with a minute between two samples. No two runs of a team are alike. */
export function madeRun(number: number, index: number, serial = 3_000_000_000 + number) {
  const random = randomFrom(`team ${number} ${index}`);
  const start = FIRST + index * 7 * DAY + number * 60_000;
  // So many athletes run at speeds that people run; the next ones run a metre further.
  const metres = 5_000 + (number % MOST_PACES) * 40 + Math.floor(number / MOST_PACES) + index * 10;
  const ground = PLACES.prater;
  // Each athlete runs on ground of their own, some ten kilometres from the next.
  const place = { ...ground, lat: ground.lat + (number % 20) * 0.1, lon: ground.lon + Math.floor(number / 20) * 0.15 };
  const made = record({ sport: sportNamed("run"), start, timer: 1_800, metres, place, every: 60 }, random);
  const device = { manufacturer: 1, product: 2431, serial, software: 760 };
  return {
    bytes: writeFit([made], { device, offsetMinutes: 60 }),
    date: new Date(start + 3_600_000).toISOString().slice(0, 10),
    metres,
  };
}

/** A run as an athlete types it: its day and its distance alone. */
export function typedRun(date: string, metres: number): Record<string, unknown> {
  return { activityID: 10, date, details: { distance: { unit: "km", value: metres / 1_000 } } };
}

interface Entry {
  readonly date: string;
  readonly details: { readonly distance: { readonly value: number }; readonly duration?: number };
}

interface LogOf {
  readonly url: string;
  readonly token: string;
}

async function entriesOf({ url, token }: LogOf): Promise<readonly Entry[]> {
  const answer = await fetch(`${url}/rest/logs/me/workouts?limit=100&access_token=${token}`);
  return ((await answer.json()) as { data: { entries: readonly Entry[] } }).data.entries;
}

/** What an athlete's log holds, read by plain HTTP: days and metres, the first day first. */
export async function daysOf(log: LogOf) {
  return (await entriesOf(log))
    .map(({ date, details }) => ({ date, metres: Math.round(details.distance.value * 1000) }))
    .toSorted((a, b) => a.date.localeCompare(b.date));
}

/** The durations in an athlete's log, read by plain HTTP. */
export async function durationsOf(log: LogOf) {
  return (await entriesOf(log)).map(({ details }) => details.duration);
}

/** Writes a roster. @returns its path */
export function writeRoster(path: string, rows: readonly Readonly<Record<string, string>>[], delimiter = ","): string {
  const fields = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const lines = [fields, ...rows.map((row) => fields.map((field) => row[field] ?? ""))];
  writeFileSync(path, `${lines.map((cells) => cells.map(quoted).join(delimiter)).join("\r\n")}\r\n`);
  return path;
}

/** The row of an athlete whose token is in a file. */
export function rowOf({ name, screenName, tokenFile, archive }: Member): Record<string, string> {
  return { athlete: name, "screen-name": screenName, "token-file": tokenFile, archives: archive };
}

/** Somebody else's export of a platform. Its profile names its owner, and it holds no watch of theirs. @returns its path */
export function writeSomeonesExport(path: string, owner: Member, runs = 2): string {
  const style: ExportStyle = { columns: 103, language: "en", dates: "plain", gear: "full", newestFirst: true };
  const activities: MadeActivity[] = Array.from({ length: runs }, (_, index) => ({
    ...{
      key: `someone's ${index}`,
      sport: sportNamed("run"),
      zone: "Europe/Vienna" as const,
      start: FIRST - (index + 1) * DAY,
    },
    ...{ timer: 1_800, pause: 0, metres: 6_000 + index, place: "prater" as const, every: 60 },
    ...{ title: `Run ${index}`, file: undefined },
  }));
  const profile = `Athlete ID,Email Address,First Name,Last Name,Sex,Description,Weight\n7700123,${owner.email},Made,${owner.name},F,,61.0\n`;
  writeFileSync(
    path,
    zipBytes([
      { name: "profile.csv", bytes: Buffer.from(profile) },
      ...exportEntries(onStrava(activities), { gear: [], routes: [] }, style, "no files"),
    ]),
  );
  return path;
}

/** A way to a service that can change what happens to a request: a delay, or another answer. */
export function wayTo(
  service: Service,
  befalls: (index: number) => Promise<Reply | undefined>,
): Promise<ScriptedServer> {
  return startServer(async ({ method, path, query, headers, body }, index) => {
    const reply = await befalls(index);
    if (reply !== undefined) return reply;
    const answer = await fetch(`${service.url}${path}?${query}`, {
      method,
      headers: { ...(headers["content-type"] !== undefined && { "content-type": headers["content-type"] }) },
      ...(method !== "GET" && { body: new Uint8Array(body) }),
    });
    return { status: answer.status, body: await answer.text() };
  });
}
