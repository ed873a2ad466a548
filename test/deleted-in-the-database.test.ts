import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { openWorld } from "./matrix/world.ts";

// A host may change the database behind the service's back with the sqlite3 program. sqlite3 enforces foreign keys only when it is told to.

test("a shoe and a course that were deleted in the database leave their workouts readable, without them", async () => {
  await using world = await openWorld({ databaseFile: true });
  const save = async (what: string, body: object) => {
    const answer = await fetch(`${world.service.url}/rest/logs/me/${what}?access_token=${world.token}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    expect(answer.status, await answer.clone().text()).toBe(200);
    return ((await answer.json()) as { data: { id: string } }).data.id;
  };
  const shoe = await save("equipment", { activityID: 10, brandName: "Acme" });
  const course = await save("courses", { name: "River" });
  const workout = { activityID: 10, date: "2020-05-01", course: { id: course }, equipment: [{ id: shoe }] };
  const id = await save("workouts", workout);
  using database = new DatabaseSync(join(world.folder, "service.db"), {
    timeout: 60_000,
    enableForeignKeyConstraints: false,
  });
  database.exec("DELETE FROM equipment; DELETE FROM courses");
  expect(await world.listed("/rest/logs/me/workouts")).toMatchObject([{ id, date: "2020-05-01" }]);
  const { workout: read } = (await world.get(`/rest/logs/me/workouts/${id}`)) as { workout: Record<string, unknown> };
  expect(read).toMatchObject({ date: "2020-05-01" });
  expect(read.course).toBeUndefined();
  expect(read.equipment ?? []).toEqual([]);
});
