import { expect } from "vitest";
import { expectedPath, fixtureCases, openCase, readAll } from "../../../test/suites/fixture-cases.ts";
import { longTest, test } from "../../../test/support/tier-tests.ts";
import { memoryArchive } from "../../containers/memory.ts";
import { decodeDeviceFile } from "../../formats/device-file.ts";
import { fitotrack } from "./table.ts";

const START = Date.UTC(2023, 5, 10, 5, 15, 20, 400);
const DAY = 86_400_000;

test("each workout goes with its own points, where those of two alternate in the list", async () => {
  const [only] = fixtureCases().filter((each) => expectedPath(each).includes("fitotrack/tracks"));
  if (only === undefined) throw new Error("there is no such fixture");
  const archive = await openCase(only);
  const pointsOf = async (recording: number) => {
    const tcx = await fitotrack.trackIn?.(archive, ["data.xml"], recording);
    return tcx && decodeDeviceFile(tcx, "decode").recordings[0]?.points;
  };
  expect(await pointsOf(1)).toEqual([
    { instant: START + DAY, position: { lat: 48.2, lon: 16.4 }, elevation: 160.5, speed: 2.75 },
    { instant: START + DAY + 1_800_000, position: { lat: 48.218, lon: 16.4 }, elevation: 171.25, speed: 5.5 },
  ]);
  const ofRun = (seconds: number) => ({ instant: START + seconds * 1000, elevation: 160.5, speed: 2.75 });
  expect(await pointsOf(0)).toEqual([
    { ...ofRun(0), position: { lat: 48.2, lon: 16.4 }, heartRate: 118 },
    { ...ofRun(600), position: { lat: 48.206, lon: 16.4 }, heartRate: 150 },
    { ...ofRun(1200), heartRate: 155 },
    { ...ofRun(1300), position: { lat: 48.213, lon: 16.4 } },
    ofRun(1400),
  ]);
  await archive.close();
});

const workout = (id: number, start: number) =>
  `<workouts><id>${id}</id><start>${start}</start><end>${start + 600_000}</end><duration>600000</duration><workoutTypeId>running</workoutTypeId></workouts>`;
const sample = (id: number, time: number) =>
  `<samples><workoutId>${id}</workoutId><lat>48.2</lat><lon>16.4</lon><absoluteTime>${time}</absoluteTime></samples>`;
const backup = (workouts: string, samples: string, end = "</samples></fito-track>") =>
  memoryArchive("data.xml", { "data.xml": `<fito-track><workouts>${workouts}</workouts><samples>${samples}${end}` });

test("a backup that is cut in its points says so of the last workout, and the others are whole", async () => {
  const cut = backup(
    workout(1, START) + workout(2, START + DAY),
    sample(1, START) + sample(1, START + 1000) + sample(2, START + DAY) + sample(2, START + DAY + 1000),
    "<samples><workoutId>2</work",
  );
  const { readings } = await readAll(fitotrack, cut);
  const workouts = readings.flatMap((reading) => (reading.kind === "workout" ? [reading.value] : []));
  expect(workouts.map(({ track }) => track?.recording)).toEqual([0, 1]);
  expect(workouts.map(({ lostFile }) => lostFile)).toEqual([undefined, { because: "cut", name: "data.xml" }]);
});

const lostIn = async (archive: ReturnType<typeof backup>) => {
  const { readings } = await readAll(fitotrack, archive);
  return readings.flatMap((reading) => (reading.kind === "workout" ? [reading.value.lostFile?.because] : []));
};
const three = [1, 2, 3].map((id) => workout(id, START + id * DAY));
const pointsOf = (id: number) => [0, 1000].map((after) => sample(id, START + id * DAY + after)).join("");

test.each([
  {
    name: "with one point of the second",
    archive: backup(three.join(""), pointsOf(1) + sample(2, START + 2 * DAY), "<samples><workoutId>2</work"),
    lost: [undefined, "damaged", "damaged"],
  },
  {
    name: "after two points of the second",
    archive: backup(three.join(""), pointsOf(1) + pointsOf(2), "<samples><workoutId>2</work"),
    lost: [undefined, "cut", "damaged"],
  },
  {
    name: "in the third workout, before all points",
    archive: memoryArchive("data.xml", {
      "data.xml": `<fito-track><workouts>${three.slice(0, 2).join("")}<workouts><id>3</i`,
    }),
    lost: ["damaged", "damaged"],
  },
])("a backup that is cut $name names each workout whose points lie behind the cut", async ({ archive, lost }) => {
  expect(await lostIn(archive)).toEqual(lost);
});

const closing = "</samples></fito-track>";
test.each([
  ...closing.split("").flatMap((_, length) => (length < 2 ? [] : [{ end: closing.slice(0, length), lost: undefined }])),
  { end: "</samples>\n  </fito", lost: undefined },
  { end: "\n</", lost: undefined },
  // A further point may have followed.
  { end: "<", lost: "cut" },
  { end: "", lost: "cut" },
  { end: "<samples></", lost: "cut" },
])("a backup that ends in $end lost points of its last workout: $lost", async ({ end, lost }) => {
  const readingsOf = async () =>
    (await readAll(fitotrack, backup(three.join(""), three.map((_, at) => pointsOf(at + 1)).join(""), end))).readings;
  const readings = await readingsOf();
  const workouts = readings.flatMap((reading) => (reading.kind === "workout" ? [reading.value.lostFile?.because] : []));
  expect(workouts).toEqual([undefined, undefined, lost]);
  // The fault of the file is told once, though the app has two tables in it.
  expect(readings.flatMap((reading) => (reading.kind === "set-aside" ? [reading.issue?.rule] : []))).toEqual([
    "xml/truncated",
  ]);
});

test("a workout that never had points lost none, in a whole backup and in one that is cut behind its points", async () => {
  const whole = backup(three.join(""), pointsOf(1));
  const cutBehind = backup(
    three.join(""),
    pointsOf(1),
    "</samples><intervalSets><intervalSets><id>1</id></intervalSets><intervalSets><id>2</i",
  );
  for (const archive of [whole, cutBehind]) expect(await lostIn(archive)).toEqual([undefined, undefined, undefined]);
});

longTest("a list of a thousand tracks, the last first, is read a few times and not once for each workout", async () => {
  const ids = Array.from({ length: 1000 }, (_, index) => index);
  const startOf = (id: number) => START + id * DAY;
  const whole = backup(
    ids.map((id) => workout(id, startOf(id))).join(""),
    ids
      .toReversed()
      .flatMap((id) => [sample(id, startOf(id)), sample(id, startOf(id) + 1000)])
      .join(""),
  );
  let opened = 0;
  const counted = {
    ...whole,
    stream(...args: Parameters<typeof whole.stream>) {
      opened++;
      return whole.stream(...args);
    },
  };
  const { readings } = await readAll(fitotrack, counted);
  expect(readings.filter((reading) => reading.kind === "workout" && reading.value.track !== undefined)).toHaveLength(
    1000,
  );
  for (const id of ids) expect(await fitotrack.trackIn?.(counted, ["data.xml"], id)).toBeDefined();
  expect(opened).toBeLessThan(15);
});
