import { expect, test } from "vitest";
import { memoryArchive } from "../../../containers/memory.ts";
import { connectorNamed } from "../../../registry.ts";

const tour = (id: number) => ({ id, type: "tour_recorded", sport: "jogging", date: "2021-05-01T08:00:00.000+02:00" });
const komoot = (id: number, total: number) => ({ _embedded: { tours: [tour(id)] }, page: { totalElements: total } });
const decathlon = (total: number) => ({
  "hydra:member": [{ id: "x", startdate: "2022-03-27T03:15:00+02:00", sport: "/v2/sports/121", dataSummaries: {} }],
  "hydra:totalItems": total,
});
const run = (id: string) => ({ id, type: "run", start_epoch_ms: 1_653_870_600_000, active_duration_ms: 1_500_000 });
const nike = (id: string, paging?: object) => ({ activities: [run(id)], ...(paging && { paging }) });
const ride = (total: number) => ({
  results: [{ id: 1, departed_at: "2022-05-01T08:00:00+02:00" }],
  results_count: total,
});
const endurain = [{ id: 1, activity_type: 1, start_time: "2022-05-01T08:00:00", total_timer_time: 1800 }];

test.each([
  [
    "komoot",
    { "a.json": komoot(1, 3), "b.json": komoot(2, 3) },
    ["a.json says that there are 3, and the list here has 2"],
  ],
  ["komoot", { "a.json": komoot(1, 2), "b.json": komoot(2, 1) }, []],
  [
    "komoot",
    { "a.json": komoot(1, 2), "copy.json": komoot(1, 2) },
    ["a.json says that there are 2, and the list here has 1"],
  ],
  ["decathlon", { "a.json": decathlon(500) }, ["a.json says that there are 500, and the list here has 1"]],
  ["decathlon", { "a.json": decathlon(1) }, []],
  [
    "nike",
    { "a.json": nike("a", { before_id: "x" }) },
    ["a.json says that another page follows, and no page here is the last one"],
  ],
  ["nike", { "a.json": nike("a", { before_id: "x" }), "b.json": nike("b", {}) }, []],
  ["nike", { "a.json": nike("a") }, []],
  ["ride-with-gps", { "trips.json": ride(500) }, ["trips.json says that there are 500, and the list here has 1"]],
  [
    "endurain",
    { "data/activities.json": endurain, "counts.json": { activities: 9 } },
    ["counts.json says that there are 9, and the list here has 1"],
  ],
  [
    "endurain",
    { "data/activities_001.json": endurain, "counts.json": { activities: 1 } },
    ["no file like this one with the number 0, but 1 with other numbers"],
  ],
])("%s: a page that says there are more keeps the account open (%#)", async (name, files, expected) => {
  const archive = memoryArchive(
    "a",
    Object.fromEntries(Object.entries(files).map(([path, value]) => [path, JSON.stringify(value)])),
  );
  const missing: (string | undefined)[] = [];
  const context = { signal: new AbortController().signal, report: () => {}, sports: new Map() };
  for await (const reading of connectorNamed(name)?.read(archive, context) ?? [])
    if (reading.kind === "set-aside" && reading.issue.rule === "archive/missing-part")
      missing.push(reading.issue.found);
  expect(missing).toEqual(expected);
});
