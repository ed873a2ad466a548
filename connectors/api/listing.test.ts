import { expect, test } from "vitest";
import { calm, errorOf, withServer } from "../../test/support/api.ts";
import type { Received, Reply } from "../../test/support/http-server.ts";
import { FatalError } from "../errors.ts";
import {
  listAllCourses,
  listAllEquipment,
  listAllTrainingPlans,
  listAllWorkouts,
  markedEquipment,
  retiredEquipment,
} from "./listing.ts";

async function idsOf(entries: AsyncIterable<{ id: string }> | undefined): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of entries ?? []) ids.push(id);
  return ids;
}

function names(count: number, prefix = "w"): string[] {
  return Array.from({ length: count }, (_, i) => `${prefix}${i}`);
}

/** A page of a list as the document's listing gives it, at most `most` entries. */
function page(list: readonly string[], { query }: Received, most = 100): Reply {
  const offset = Number(query.get("offset") ?? 0);
  const limit = Math.min(Number(query.get("limit") ?? 50), most);
  return {
    json: {
      code: 0,
      data: { entries: list.slice(offset, offset + limit).map((id) => ({ id })), numEntries: list.length },
    },
  };
}

test.each([0, 1, 99, 100, 101, 250])("a list of %d is given once each, in its order", async (count) => {
  await withServer(
    (request) => page(names(count), request),
    async ({ connection, server, issues }) => {
      expect(await idsOf(await listAllWorkouts(connection, calm()))).toEqual(names(count));
      expect(server.requests.length).toBe(
        Math.max(1, Math.ceil(count / 100)) + (count > 0 && count % 100 === 0 ? 1 : 0),
      );
      expect(
        server.requests.every(({ path, query }) => path === "/rest/logs/me/workouts" && query.get("limit") === "100"),
      ).toBe(true);
      expect(issues).toEqual([]);
    },
  );
});

test("pages advance by what was received where the service gives less than was asked for", async () => {
  await withServer(
    (request) => page(names(120), request, 50),
    async ({ connection, server }) => {
      expect(await idsOf(await listAllWorkouts(connection, calm()))).toEqual(names(120));
      expect(server.requests.map(({ query }) => query.get("offset"))).toEqual(["0", "50", "100"]);
    },
  );
});

test("a service that says no total is read to an empty page", async () => {
  await withServer(
    ({ query }) => ({
      json: { code: 0, data: { entries: Number(query.get("offset")) < 40 ? [{ id: `w${query.get("offset")}` }] : [] } },
    }),
    async ({ connection }) => {
      const listing = await listAllWorkouts(connection, calm());
      expect(listing?.total).toBeUndefined();
      expect(await idsOf(listing)).toEqual(names(40));
    },
  );
});

test("a workout added while the list is paged is found by listing again, and nothing is given twice", async () => {
  const list = names(150);
  await withServer(
    (request, index) => {
      // The listing is newest first, so a new workout moves every page by one.
      if (index === 1) list.unshift("new");
      return page(list, request);
    },
    async ({ connection, server, issues }) => {
      const ids = await idsOf(await listAllWorkouts(connection, calm()));
      expect([...ids].sort()).toEqual([...names(150), "new"].sort());
      expect(server.requests).toHaveLength(4);
      expect(issues).toEqual([]);
    },
  );
});

test("a workout taken away while the list is paged hides no other", async () => {
  const list = names(150);
  await withServer(
    (request, index) => {
      if (index === 1) list.shift();
      return page(list, request);
    },
    async ({ connection }) => {
      expect((await idsOf(await listAllWorkouts(connection, calm()))).sort()).toEqual(names(150).sort());
    },
  );
});

test("a service that ignores the offset ends the listing, with a remark, and not the night", async () => {
  await withServer(
    () => ({ json: { code: 0, data: { entries: names(100).map((id) => ({ id })), numEntries: 250 } } }),
    async ({ connection, server, issues }) => {
      expect(await idsOf(await listAllWorkouts(connection, calm()))).toEqual(names(100));
      expect(server.requests.length).toBe(6);
      expect(issues.map(({ rule }) => rule)).toEqual([
        "api/page-repeated",
        "api/page-repeated",
        "api/page-repeated",
        "api/listing-incomplete",
      ]);
      expect(issues.at(-1)).toMatchObject({ found: "100 entries in 3 rounds", expected: "250" });
    },
  );
});

test("an entry without an id is reported and the others are given", async () => {
  await withServer(
    () => ({ json: { code: 0, data: { entries: [{ id: "a" }, { notes: "no id" }, 7, { id: "b" }], numEntries: 4 } } }),
    async ({ connection, issues, server }) => {
      expect(await idsOf(await listAllWorkouts(connection, calm()))).toEqual(["a", "b"]);
      expect(server.requests).toHaveLength(1);
      expect(issues.filter(({ rule }) => rule === "api/entry-without-id")).toHaveLength(2);
    },
  );
});

test.each([404, 405])("a service that answers %d has no listing: that is known, not thrown", async (status) => {
  await withServer(
    () => ({ status }),
    async ({ connection }) => {
      expect(await listAllWorkouts(connection, calm())).toBeUndefined();
      expect(await listAllCourses(connection, calm())).toBeUndefined();
    },
  );
});

test("a listing that is refused for another reason is an error", async () => {
  await withServer(
    () => ({ status: 403 }),
    async ({ connection }) => {
      expect(await errorOf(listAllWorkouts(connection, calm()))).toBeInstanceOf(FatalError);
    },
  );
});

test("an error on a later page reaches whoever reads the list", async () => {
  await withServer(
    (request, index) => (index === 0 ? page(names(150), request) : { status: 401 }),
    async ({ connection }) => {
      const listing = await listAllWorkouts(connection, calm());
      expect(await errorOf(idsOf(listing))).toMatchObject({ code: "api/http-401" });
    },
  );
});

test("courses are asked for by name", async () => {
  await withServer(
    (request) => page(["c"], request),
    async ({ connection, server }) => {
      expect(await idsOf(await listAllCourses(connection, calm()))).toEqual(["c"]);
      expect(server.requests[0]?.path).toBe("/rest/logs/me/courses");
      expect(server.requests[0]?.query.get("sortBy")).toBe("1");
    },
  );
});

test("training plans are asked for as the document has it, and by offset only for what is missing", async () => {
  await withServer(
    (request) => page(names(70, "p"), request),
    async ({ connection, server }) => {
      expect(await idsOf(listAllTrainingPlans(connection, calm()))).toEqual(names(70, "p"));
      expect(server.requests.map(({ query }) => [query.get("limit"), query.get("offset")])).toEqual([
        [null, null],
        ["100", "50"],
      ]);
    },
  );
});

test("retired equipment is what is listed with showRetired and not without", async () => {
  const script = (request: Received) =>
    page(request.query.get("showRetired") === "true" ? ["a", "b", "c"] : ["a", "c", "made meanwhile"], request);
  await withServer(script, async ({ connection }) => {
    expect((await retiredEquipment(connection, calm())).map(({ id }) => id)).toEqual(["b"]);
    expect(await markedEquipment(connection, calm())).toEqual([
      { id: "a", retired: false },
      { id: "b", retired: true },
      { id: "c", retired: false },
    ]);
  });
});

test("equipment can be listed for one activity", async () => {
  await withServer(
    (request) => page(["a"], request),
    async ({ connection, server }) => {
      await idsOf(listAllEquipment(connection, { showRetired: true, activityID: 11 }, calm()));
      expect(server.requests[0]?.query.get("activityName")).toBe("11");
    },
  );
});
