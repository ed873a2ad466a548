/** The limits of what a log answers, and of what the service is sent. */
import { gzipSync } from "node:zlib";
import { expect } from "vitest";
import { getWorkout } from "../../connectors/api/client.ts";
import { parseJson } from "../../connectors/api/json.ts";
import { listAllWorkouts, listingCap } from "../../connectors/api/listing.ts";
import { OPERATIONS } from "../../connectors/api/operations.ts";
import { addDemoUser } from "../../service/demo.ts";
import { startService } from "../../service/server.ts";
import { calm, withServer } from "../support/api.ts";
import { TIER } from "../support/tiers.ts";
import { MIB, many, type Trial, thrown } from "./trial.ts";

/** The message for an answer of so many bytes. */
async function answerOf(size: number, isListing: boolean): Promise<string | undefined> {
  const body = isListing
    ? { code: 0, data: { numEntries: 0, entries: [] }, pad: "" }
    : { code: 0, data: { workout: { id: "a" } }, pad: "" };
  const json = JSON.stringify({ ...body, pad: "x".repeat(size - JSON.stringify(body).length) });
  let said: string | undefined;
  await withServer(
    () => ({ body: json }),
    async ({ connection }) => {
      said = await thrown(async () => {
        if (!isListing) return getWorkout(connection, "a", calm());
        const listing = await listAllWorkouts(connection, calm());
        for await (const _ of listing ?? []);
        return listing;
      });
    },
  );
  return said;
}

/** The message for a listing with these pages. */
function listed(pages: readonly (readonly unknown[])[], mostBytes?: number): Promise<string | undefined> {
  return thrown(async () => {
    const cap = listingCap(OPERATIONS.listEquipment, mostBytes);
    for (const page of pages) cap(page);
  });
}

/** The status of the service for a body of so many bytes, when it is the status for a body that is too large. */
async function posted(path: string, type: string, body: Uint8Array, isPacked = false): Promise<string | undefined> {
  const log = await startService({ database: ":memory:" });
  try {
    const { token } = await addDemoUser(log, { units: "kilometres", utcOffset: 0, activities: [] });
    const { status } = await fetch(`${log.url}${path}?access_token=${token}`, {
      method: "POST",
      headers: { "content-type": type, ...(isPacked && { "content-encoding": "gzip" }) },
      body: new Uint8Array(body),
    });
    return status === 413 ? "HTTP 413" : undefined;
  } finally {
    await log.close();
  }
}

/** The message of the service for a body that it doesn't accept because of its content. */
async function refused(more: object | string, kind: "courses" | "workouts" = "courses"): Promise<string | undefined> {
  const log = await startService({ database: ":memory:" });
  try {
    const { token } = await addDemoUser(log);
    const required = kind === "courses" ? { name: "a" } : { activityID: 10, date: "2020-01-01" };
    const answer = await fetch(`${log.url}/rest/logs/me/${kind}?access_token=${token}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: typeof more === "string" ? more : JSON.stringify({ ...required, ...more }),
    });
    const { message } = (await answer.json()) as { message?: string };
    return answer.status === 200 ? undefined : `HTTP ${answer.status}: ${message}`;
  } finally {
    await log.close();
  }
}

function numbered(count: number, value: unknown = 0): object {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`member${index}`, value]));
}

/** By the row of docs/limits.md. */
export const WIRE: Readonly<Record<string, Trial>> = {
  "json-depth": {
    most: 64,
    said(size) {
      const parsed = parseJson(Buffer.from("[".repeat(size) + "]".repeat(size)));
      return parsed.kind === "json" ? undefined : parsed.found;
    },
    rule: /deeper than 64/,
  },
  answer: { most: MIB, said: (size) => answerOf(size, false), rule: /^api\/unreadable: .*longer than 1048576 bytes/ },
  listing: {
    most: 16 * MIB,
    said: (size) => answerOf(size, true),
    rule: /^api\/unreadable: .*longer than 16777216 bytes/,
  },
  "listing-entries": {
    most: 1_000_000,
    said: (size) => listed([Array(size - 500_000).fill(1), Array(500_000).fill(1)]),
    rule: /^api\/endless-listing: .*lists more than 1000000 entries/,
  },
  "listing-bytes": {
    most: 256 * MIB,
    at: 16 * MIB,
    said: (size, most) => listed([...many(15, () => ["x".repeat(MIB - 4)]), ["x".repeat(size - 15 * MIB - 4)]], most),
    rule: /^api\/endless-listing: .*lists more than 16 MB of entries/,
  },
  "listing-kept": {
    most: 64 * MIB,
    at: MIB,
    said: (size, most) => listed([["x".repeat(size - 4)]], most),
    rule: /^api\/endless-listing: .*lists more than 1 MB of entries/,
  },
  "server-json": {
    most: MIB,
    async said(size) {
      const body = Buffer.from('{"name":"a"}'.padEnd(size));
      const plain = await posted("/rest/logs/me/courses", "application/json", body);
      expect(await posted("/rest/logs/me/courses", "application/json", gzipSync(body), true)).toBe(plain);
      return plain;
    },
    rule: /^HTTP 413$/,
  },
  "server-values": {
    most: 70_000,
    // The body itself is one, and so is each comma and each bracket.
    said: (size) => refused({ id: Array(size - 2).fill(0) }),
    rule: /^HTTP 400: id: holds more than 70000 values/,
  },
  "server-members": {
    most: 200,
    said: (size) => refused({ id: numbered(size) }),
    rule: /^HTTP 400: id: has an object of more than 200 members/,
  },
  "server-depth": {
    most: 64,
    said: (size) => refused(`{"name":"a","id":${"[".repeat(size - 1)}${"]".repeat(size - 1)}}`),
    rule: /^HTTP 400: id: holds more than 64 objects and arrays/,
  },
  "server-intervals": {
    most: 10_000,
    said: (size) => refused({ intervalSet: { intervals: Array(size).fill({ duration: 90.5 }) } }, "workouts"),
    rule: /^HTTP 400: intervalSet\.intervals: takes at most 10000/,
  },
  "server-text": {
    most: 500,
    said: (size) => refused({ name: "x".repeat(size) }),
    rule: /^HTTP 400: name: must not have more than 500 characters/,
  },
  "server-notes": {
    most: 65_536,
    said: (size) => refused({ notes: "x".repeat(size) }),
    rule: /^HTTP 400: notes: must not have more than 65536 characters/,
  },
  "server-flags": {
    most: 100,
    said: (size) => refused({ surfaces: numbered(size, true) }),
    rule: /^HTTP 400: surfaces: takes at most 100/,
  },
  "server-file": {
    most: 64 * MIB,
    async said(size) {
      const body = Buffer.alloc(size, "x");
      const plain = await posted("/rest/logs/me/workouts/gpx", "application/gpx+xml", body);
      if (TIER === "first") return plain;
      expect(
        await posted("/rest/logs/me/workouts/gpx", "application/gpx+xml", gzipSync(body, { level: 1 }), true),
      ).toBe(plain);
      return plain;
    },
    rule: /^HTTP 413$/,
  },
};
