import { expect, test } from "vitest";
import { calm, errorOf, withServer } from "../../test/support/api.ts";
import type { Reply } from "../../test/support/http-server.ts";
import { getWorkout, saveNewWorkout } from "./client.ts";
import { listAllEquipment, listAllWorkouts, workoutsPage } from "./listing.ts";

/** Every entry of a listing. */
async function all<T>(listing: AsyncIterable<T> | undefined): Promise<T[]> {
  const entries: T[] = [];
  for await (const entry of listing ?? []) entries.push(entry);
  return entries;
}

const PAGE = { json: { code: 0, data: { entries: [{ id: "a" }, { id: "b" }], numEntries: 2 } } };
const WORKOUT = { json: { code: 0, data: { workout: { id: "a", date: "2024-03-01" } } } };
const SAVED = { json: { code: 0, data: { id: "new1" } } };

test("every read asks caches to stand aside, and no listing has an address that another one had", async () => {
  await withServer(
    ({ path }) => (path.endsWith("/a") ? WORKOUT : PAGE),
    async ({ connection, server }) => {
      await getWorkout(connection, "a", calm());
      for (let times = 0; times < 3; times++) {
        await listAllWorkouts(connection, calm());
        await all(listAllEquipment(connection, { showRetired: true }, calm()));
      }
      const { requests } = server;
      expect(requests.map(({ headers }) => [headers["cache-control"], headers.pragma])).toEqual(
        requests.map(() => ["no-cache", "no-cache"]),
      );
      const listings = requests.filter(({ path }) => !path.endsWith("/a"));
      expect(listings).toHaveLength(6);
      expect(new Set(listings.map(({ query }) => query.get("nocache"))).size).toBe(6);
    },
  );
});

test("a save asks nothing of caches, and its address is the document's", async () => {
  await withServer(
    () => SAVED,
    async ({ connection, server }) => {
      await saveNewWorkout(connection, { activityID: 10, date: "2024-03-01" }, calm());
      expect(server.requests[0]?.headers["cache-control"]).toBeUndefined();
      expect([...(server.requests[0]?.query.keys() ?? [])]).toEqual(["access_token"]);
    },
  );
});

test("a service that refuses a parameter it doesn't know is asked without it, from then on at once", async () => {
  await withServer(
    ({ query }) => (query.has("nocache") ? { status: 400 } : PAGE),
    async ({ connection, server }) => {
      for (let times = 0; times < 2; times++) {
        const listing = await listAllWorkouts(connection, calm());
        expect((await all(listing)).map(({ id }) => id)).toEqual(["a", "b"]);
      }
      expect(server.requests.map(({ query }) => query.has("nocache"))).toEqual([true, false, false]);
    },
  );
});

test("a listing that is refused with and without it is refused", async () => {
  await withServer(
    () => ({ status: 400 }),
    async ({ connection, server }) => {
      expect(await errorOf(listAllWorkouts(connection, calm()))).toMatchObject({ code: "api/http-400" });
      expect(server.requests).toHaveLength(2);
    },
  );
});

const AN_HOUR_AGO = "Wed, 31 Dec 2025 23:00:00 GMT";
const NOW = "Thu, 01 Jan 2026 00:00:00 GMT";

test.each<[string, Reply["headers"], string | undefined]>([
  ["says how old it is", { age: "31" }, "a cache gave it (Age: 31)"],
  ["says that it is new", { age: "0" }, undefined],
  [
    "says so by a delivery network's header",
    { "x-cache": "Hit from cloudfront" },
    `a cache gave it (a cache's header says "Hit from cloudfront")`,
  ],
  [
    "says so as RFC 9211 has it",
    { "cache-status": "Proxy; hit; ttl=30" },
    `a cache gave it (a cache's header says "Proxy; hit; ttl=30")`,
  ],
  ["says that a cache asked the service", { "cf-cache-status": "MISS" }, undefined],
  [
    "was made an hour before it was asked for",
    { date: AN_HOUR_AGO },
    "a cache gave it (made 3600 s before it was asked for)",
  ],
  ["was made now", { date: NOW }, undefined],
])("a listing that %s can or can't tell what is not there", async (_how, headers, doubt) => {
  await withServer(
    ({ method }) =>
      method === "POST" ? { ...SAVED, headers: { date: NOW } } : { ...PAGE, ...(headers && { headers }) },
    async ({ connection }) => {
      await saveNewWorkout(connection, { activityID: 10, date: "2024-03-01" }, calm());
      const listing = await listAllWorkouts(connection, calm());
      expect((await all(listing)).map(({ id }) => id)).toEqual(["a", "b"]);
      expect(listing?.doubt).toBe(doubt);
      expect((await workoutsPage(connection, 0, calm())) === undefined).toBe(doubt !== undefined);
    },
  );
});

test("a service whose clock is wrong is no cache", async () => {
  await withServer(
    ({ method }) => ({ ...(method === "POST" ? SAVED : PAGE), headers: { date: AN_HOUR_AGO } }),
    async ({ connection }) => {
      await saveNewWorkout(connection, { activityID: 10, date: "2024-03-01" }, calm());
      const listing = await listAllWorkouts(connection, calm());
      await all(listing);
      expect(listing?.doubt).toBeUndefined();
    },
  );
});

test("a listing of stale and fresh pages, which never agree on how many there are, can't tell what is not there", async () => {
  await withServer(
    ({ query }) => {
      const offset = Number(query.get("offset"));
      const [from, total] = offset === 0 ? [0, 150] : [offset, 151];
      const entries = Array.from({ length: Math.min(100, total - from) }, (_, index) => ({ id: `w${from + index}` }));
      return { json: { code: 0, data: { entries, numEntries: total } } };
    },
    async ({ connection }) => {
      const listing = await listAllWorkouts(connection, calm());
      await all(listing);
      expect(listing?.doubt).toBe(
        "it changed each of the 3 times it was read (it says that it has 150, then 151, and shows 151)",
      );
    },
  );
});
