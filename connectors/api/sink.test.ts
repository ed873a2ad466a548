import { expect, test } from "vitest";
import { calm, errorOf, withServer } from "../../test/support/api.ts";
import { inTurn } from "../../test/support/http-server.ts";
import { ItemError } from "../errors.ts";
import { createSink } from "./sink.ts";

test("a sink makes, reads, writes over and maps through the operation of each kind", async () => {
  const answer = { json: { code: 0, data: { id: "r1", ids: ["r1"], workout: { id: "r1", timeOfDay: "06:00:00" } } } };
  await withServer(inTurn(answer), async ({ server, connection }) => {
    const sink = createSink(connection);
    expect(await sink.create("workout", { activityID: 10, date: "2024-01-01" }, calm())).toBe("r1");
    expect(await sink.create("course", { name: "Lake" }, calm())).toBe("r1");
    expect(await sink.create("equipment", { brandName: "Hoka" }, calm())).toBe("r1");
    expect(await sink.importFile("fit", new Uint8Array(4), calm())).toEqual(["r1"]);
    expect(await sink.read("workout", "r1", calm())).toEqual({ time: "06:00:00" });
    expect(await sink.replace("equipment", "r1", { brandName: "Hoka" }, calm())).toBeUndefined();
    expect(await sink.saveMap("r1", new Uint8Array(4), calm())).toBeUndefined();
    expect(server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "POST /rest/logs/me/workouts",
      "POST /rest/logs/me/courses",
      "POST /rest/logs/me/equipment",
      "POST /rest/logs/me/workouts/fit",
      "GET /rest/logs/me/workouts/r1",
      "PUT /rest/logs/me/equipment/r1",
      "POST /rest/logs/me/courses/r1/gpx",
    ]);
  });
});

test("a body that isn't in the document's form never leaves", async () => {
  await withServer(inTurn({ json: { code: 0 } }), async ({ server, connection }) => {
    const error = await errorOf(createSink(connection).create("workout", { activityID: 10, date: "soon" }, calm()));
    expect(error).toBeInstanceOf(ItemError);
    expect(error.message).toBe(`Cannot save the workout: workout.date is "soon", expected a date, YYYY-MM-DD`);
    expect(server.requests).toEqual([]);
  });
});
