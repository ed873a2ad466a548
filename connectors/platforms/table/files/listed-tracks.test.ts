import { expect, test } from "vitest";
import { memoryArchive } from "../../../containers/memory.ts";
import type { Listed, TrackList } from "../description.ts";
import { ListedTracks } from "./listed-tracks.ts";

const ROWS = 20;
const POINTS = 30;
/** The number of rows whose points are kept. */
const KEPT = 4;

type Order = (id: number, point: number) => number;

/** A list of 20 rows with 30 points each, in some order. The first value of a point is the number of its row. */
function listIn(order: Order) {
  const all = Array.from({ length: ROWS * POINTS }, (_, at) => [Math.floor(at / POINTS), at % POINTS] as const);
  all.sort(([a, i], [b, j]) => order(a, i) - order(b, j));
  let readings = 0;
  const list: TrackList = {
    async *listed() {
      readings++;
      for (let id = 0; id < ROWS; id++) yield { row: `${id}` } satisfies Listed;
      for (const [id, at] of all) yield { of: `${id}`, point: { instant: at * 1000, elevation: id } };
    },
    isDamage: () => false,
  };
  const archive = memoryArchive("a", { list: "" });
  const [entry] = archive.entries();
  if (entry === undefined) throw new Error("there is no entry");
  return { tracks: new ListedTracks(list, archive, entry, KEPT * POINTS), readings: () => readings };
}

const forwards: Order = (id, point) => id * POINTS + point;
const backwards: Order = (id, point) => -id * POINTS + point;
const alternating: Order = (id, point) => point * ROWS + id;
/** Each row begins before the one before it ends. */
const overlapping: Order = (id, point) => id * POINTS + point * 1.5;

test.each([
  { name: "one row after another", order: forwards, most: 2, singly: 12 },
  { name: "from the last row to the first", order: backwards, most: 7, singly: 12 },
  { name: "overlapping", order: overlapping, most: 2, singly: 12 },
  { name: "alternating in all rows", order: alternating, most: 21, singly: 21 },
])("each row gets its own points from a list $name, in $most readings at the most", async ({ order, most, singly }) => {
  for (const ask of ["track", "single"] as const) {
    const { tracks, readings } = listIn(order);
    for (let row = 0; row < ROWS; row++) {
      const points = (await tracks[ask](row))?.points ?? [];
      expect(points.map(({ elevation }) => elevation)).toEqual(Array(POINTS).fill(row));
    }
    expect(readings()).toBeLessThanOrEqual(ask === "track" ? most : singly);
  }
});

test("rows that are asked for at once get their own points, too", async () => {
  const { tracks } = listIn(alternating);
  const found = await Promise.all([3, 17, 0, 3].map((row) => tracks.track(row)));
  expect(found.map((track) => track?.points.map(({ elevation }) => elevation))).toEqual(
    [3, 17, 0, 3].map((row) => Array(POINTS).fill(row)),
  );
});

test("a row without a point has no track, and neither has a number beyond the last row", async () => {
  const { tracks } = listIn(forwards);
  expect(await tracks.track(ROWS)).toBeUndefined();
  expect(await tracks.strangers()).toEqual([]);
});
