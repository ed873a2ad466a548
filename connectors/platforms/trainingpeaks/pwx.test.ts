import { expect, test } from "vitest";
import { readAll } from "../../../test/suites/fixture-cases.ts";
import { memoryArchive } from "../../containers/memory.ts";
import { trainingPeaks } from "../index.ts";

/** A run of five minutes due north, a thousandth of a degree (111.19 m on a sphere of 6,371 km) each minute. */
function pwx(time: string, summary: string): string {
  const samples = [0, 1, 2, 3, 4, 5].map(
    (minute) =>
      `<sample><timeoffset>${60 * minute}</timeoffset><hr>140</hr><lat>${48.2 + minute / 1000}</lat><lon>16.4</lon></sample>`,
  );
  return `<pwx xmlns="http://www.peaksware.com/PWX/1/0" version="1.0"><workout><sportType>Run</sportType><time>${time}</time>
    <summarydata><beginning>0</beginning><duration>300</duration>${summary}</summarydata>${samples.join("")}</workout></pwx>`;
}

async function workoutOf(text: string) {
  const { readings } = await readAll(trainingPeaks, memoryArchive("tp", { "a.pwx": text }));
  const [workout] = readings.flatMap((reading) => (reading.kind === "workout" ? [reading.value] : []));
  return workout;
}

test("a recording without a total has the distance along its positions", async () => {
  const workout = await workoutOf(pwx("2012-03-27T08:00:00", ""));
  expect(workout?.distance).toEqual({ unit: "m", value: expect.closeTo(555.97, 1) });
  expect((await workoutOf(pwx("2012-03-27T08:00:00", "<dist>600</dist>")))?.distance).toEqual({
    unit: "m",
    value: 600,
  });
});

test("a time with its offset is the time of the day there", async () => {
  const workout = await workoutOf(pwx("2012-03-27T10:30:00+02:00", ""));
  expect(workout?.start).toMatchObject({ date: "2012-03-27", time: "10:30:00", instant: Date.UTC(2012, 2, 27, 8, 30) });
});
