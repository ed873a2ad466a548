import { expect, test } from "vitest";
import type { Activity } from "../../../transforms/activities.ts";
import { memoryArchive } from "../../containers/memory.ts";
import { trainingPeaks } from "./table.ts";

const sampled = (...samples: readonly string[]) =>
  samples.map((each, at) => `<sample><timeoffset>${at * 10}</timeoffset>${each}</sample>`).join("");

async function read(
  { sport = "Run", time = "2012-03-27T08:00:00", dist = "", samples = "" },
  sports: ReadonlyMap<string, Activity> = new Map(),
) {
  const file = `<?xml version="1.0"?><pwx xmlns="http://www.peaksware.com/PWX/1/0"><workout><sportType>${sport}</sportType><time>${time}</time>
<summarydata><duration>900</duration>${dist}</summarydata>${samples}</workout></pwx>`;
  const rules: string[] = [];
  const report = ({ rule }: { readonly rule: string }) => rules.push(rule);
  const context = { signal: new AbortController().signal, report, sports };
  for await (const reading of trainingPeaks.read(memoryArchive("a", { "a.pwx": file }), context))
    if (reading.kind === "workout") return { ...reading.value, rules };
  throw new Error("no workout");
}

// 0.001 degrees of latitude are 111.2 m on a sphere of 6,371 km.
test.each([
  ["the last distance of its samples", { samples: sampled("<dist>0</dist>", "<dist>700</dist>", "") }, 700],
  [
    "the way between its positions",
    { samples: sampled("<lat>50</lat><lon>8</lon>", "<hr>120</hr>", "<lat>50.001</lat><lon>8</lon>") },
    111.2,
  ],
  ["its own total", { dist: "<dist>800</dist>", samples: sampled("<dist>0</dist>", "<dist>700</dist>") }, 800],
])("the distance of a PWX workout is %s", async (_, workout, metres) => {
  expect((await read(workout)).distance).toEqual({ unit: "m", value: metres });
});

test("a PWX time with a distance from UTC is what the clock showed there", async () => {
  expect((await read({ time: "2012-03-25T10:30:00+02:00" })).start).toMatchObject({
    date: "2012-03-25",
    time: "10:30:00",
    instant: Date.UTC(2012, 2, 25, 8, 30),
  });
});

test("a PWX race is a run with a remark, or the sport that a person says", async () => {
  expect(await read({ sport: "Race" })).toMatchObject({ activity: "run", type: "race", rules: ["trainingpeaks/race"] });
  expect(await read({ sport: "Race" }, new Map([["race", "bike"]]))).toMatchObject({
    ...{ activity: "bike", type: "race", rules: [] },
  });
});
