/** The outline of a track, compared with lengths and times worked out by hand. */
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { Point } from "../../connectors/formats/recording.ts";
import { drawOutline } from "../pages/track/outline.ts";
import { outlineOfFile } from "../pages/track/outlines.ts";
import { gpx } from "./reader.ts";

/** Metres of a degree of a great circle on a sphere of the earth's mean radius, 6,371.0088 km: 2π r / 360. */
const DEGREE = 111_195.08;

/** Points on a meridian, a thousandth of a degree apart, with so many seconds from one to the next. */
function north(count: number, secondsEach: number, more: (index: number) => Partial<Point> = () => ({})): Point[] {
  return Array.from({ length: count }, (_, index) => ({
    position: { lat: 48 + index / 1000, lon: 16 },
    instant: index * secondsEach * 1000,
    ...more(index),
  }));
}

describe("length and time", () => {
  test("follow the positions where the device counted nothing", () => {
    const { metres, seconds } = drawOutline(north(101, 30), 1000);
    expect(metres).toBeCloseTo(DEGREE / 10, 0);
    expect(seconds).toBe(3000);
  });

  test("a device's own count is believed before positions, and one that falls back loses nothing", () => {
    const counts = [0, 100, 200, 150, 300];
    const points = north(5, 30, (index) => ({ distance: { unit: "m", value: counts[index] as number } }));
    expect(drawOutline(points, 1000).metres).toBe(300);
  });

  test("nothing is covered across a break", () => {
    const points = north(101, 30, (index) => (index === 50 ? { breakBefore: true } : {}));
    const outline = drawOutline(points, 1000);
    expect(outline.metres).toBeCloseTo((DEGREE * 99) / 1000, 0);
    expect(outline.lines).toHaveLength(2);
  });

  test("a degree of longitude at 60° is half as long as one of latitude", () => {
    const points = [0, 1, 2].map((index): Point => ({ position: { lat: 60, lon: 16 + index / 1000 } }));
    expect(drawOutline(points, 1000).metres).toBeCloseTo(DEGREE / 1000, 0);
  });

  test("no point, one point and points that know nothing give nothing, and no error", () => {
    for (const points of [[], [{}], [{ position: { lat: 1, lon: 1 } }], [{}, {}, {}]]) {
      expect(drawOutline(points, 1000)).toMatchObject({ metres: 0, seconds: 0, samples: [], splits: [] });
    }
  });
});

describe("splits", () => {
  test("end at the kilometre, between two points, and the last is what is left", () => {
    // 111.195 m in 30 s: a kilometre is 269.8 s. 100 steps are 11.12 km.
    const { splits, splitMetres } = drawOutline(north(101, 30), 1000);
    expect(splitMetres).toBe(1000);
    expect(splits).toHaveLength(12);
    for (const split of splits.slice(0, 11)) {
      expect(split.metres).toBeCloseTo(1000, 5);
      expect(split.seconds).toBeCloseTo(30_000_000 / DEGREE, 1);
    }
    expect(splits.at(-1)?.metres).toBeCloseTo(119.5, 0);
    expect(splits.reduce((sum, split) => sum + split.seconds, 0)).toBeCloseTo(3000, 5);
  });

  test("leave a pause out of their time", () => {
    const points = north(101, 30).map((point, index) => ({
      ...point,
      instant: index * 30_000 + (index > 20 ? 600_000 : 0),
    }));
    const { splits, seconds } = drawOutline(points, 1000);
    expect(seconds).toBe(3600);
    expect(splits.reduce((sum, split) => sum + split.seconds, 0)).toBeCloseTo(2970, 0);
  });

  test("of a very long way are longer, so that there are never more than sixty", () => {
    const points = Array.from(
      { length: 2001 },
      (_, index): Point => ({
        position: { lat: index / 100, lon: 16 },
        instant: index * 60_000,
      }),
    );
    const { splits, splitMetres } = drawOutline(points, 1000);
    expect(splitMetres).toBe(50_000);
    expect(splits).toHaveLength(45);
  });

  test("a jump of the device over many kilometres is as many splits", () => {
    const points: Point[] = [0, 500, 5500, 6000].map((value, index) => ({
      distance: { unit: "m", value },
      instant: index * 1000 * 300,
    }));
    expect(drawOutline(points, 1000).splits.map(({ metres }) => metres)).toEqual([1000, 1000, 1000, 1000, 1000, 1000]);
  });

  test("carry the mean heart rate and how much higher they end", () => {
    const points = north(51, 30, (index) => ({ heartRate: index < 10 ? 100 : 150, elevation: index * 2 }));
    const [first, , third] = drawOutline(points, 1000).splits;
    expect(first?.heartRate).toBe(100);
    expect(third?.heartRate).toBe(150);
    expect(third?.climb).toBeGreaterThan(15);
    expect(third?.climb).toBeLessThan(22);
  });
});

describe("samples", () => {
  test("are at most 240 however long the track, and their means are those of the points", () => {
    const { samples, heartRate } = drawOutline(
      north(50_000, 1, (index) => ({ heartRate: 100 + (index % 2) * 20, position: { lat: index / 10_000, lon: 0 } })),
      1000,
    );
    expect(samples.length).toBeLessThanOrEqual(240);
    expect(samples.length).toBeGreaterThan(200);
    for (const sample of samples) {
      expect(sample.heartRate).toBeGreaterThan(109);
      expect(sample.heartRate).toBeLessThan(111);
      expect(sample.speed).toBeCloseTo(DEGREE / 10_000, 1);
    }
    expect(heartRate).toEqual({ least: 100, most: 120 });
  });

  test("a track without a place is sampled over time, and a heart rate of 0 is one", () => {
    const points = Array.from({ length: 100 }, (_, index): Point => ({ instant: index * 1000, heartRate: 0 }));
    const { samples, metres } = drawOutline(points, 1000);
    expect(metres).toBe(0);
    expect(samples.at(-1)?.seconds).toBe(99);
    expect(samples.every((sample) => sample.heartRate === 0)).toBe(true);
  });
});

describe("lines", () => {
  test("a straight way of 10,000 points is two corners", () => {
    expect(drawOutline(north(10_000, 1), 1000).lines.map((line) => line.length)).toEqual([2]);
  });

  test("no corner is off by more than a thousandth of the whole", () => {
    const circle = Array.from({ length: 5000 }, (_, index): Point => {
      const angle = (index / 5000) * 2 * Math.PI;
      return { position: { lat: Math.sin(angle) / 100, lon: Math.cos(angle) / 100 } };
    });
    const [line = []] = drawOutline(circle, 1000).lines;
    expect(line.length).toBeLessThan(200);
    for (const { lat, lon } of line) expect(Math.hypot(lat, lon)).toBeCloseTo(0.01, 6);
    // Between two corners the chord is furthest off in its middle.
    for (const [index, a] of line.slice(1).entries()) {
      const b = line[index] as { lat: number; lon: number };
      expect(0.01 - Math.hypot((a.lat + b.lat) / 2, (a.lon + b.lon) / 2)).toBeLessThan(0.02 / 1000 + 1e-9);
    }
  });

  test("across the date line the way goes on, and not once around the earth", () => {
    const points = [179.99, 179.995, -179.999, -179.99].map((lon): Point => ({ position: { lat: 0, lon } }));
    const lons = drawOutline(points, 1000)
      .lines.flat()
      .map((place) => place.lon);
    expect(Math.max(...lons) - Math.min(...lons)).toBeCloseTo(0.02, 5);
  });

  test("a scribble of a hundred thousand points and one of nothing but breaks are still drawn, in few corners", () => {
    let seed = 1;
    const random = () => {
      seed = (seed * 16_807) % 2_147_483_647;
      return seed / 2_147_483_647;
    };
    const scribble = Array.from({ length: 100_000 }, (): Point => ({ position: { lat: random(), lon: random() } }));
    const broken = scribble.slice(0, 20_000).map((point) => ({ ...point, breakBefore: true as const }));
    for (const points of [scribble, broken]) {
      const corners = drawOutline(points, 1000).lines.flat().length;
      expect(corners).toBeGreaterThan(10);
      expect(corners).toBeLessThanOrEqual(1500);
    }
  });
});

describe("a file", () => {
  const places = Array.from({ length: 50 }, (_, index) => ({ lat: 48 + index / 1000, lon: 16, s: index * 30 }));
  const packedAs = (text: string) => ({ format: "gpx" as const, packed: gzipSync(text) });

  test("that takes too long is not drawn, and the next one is", async () => {
    const big = packedAs(gpx(Array.from({ length: 200_000 }, (_, index) => ({ lat: index / 1e6, lon: 16 }))));
    const next = packedAs(gpx(places));
    const [slow, quick] = await Promise.all([outlineOfFile(big, 0, 1000, 1), outlineOfFile(next, 0, 1000)]);
    expect(slow).toEqual({ problem: "is too large to draw" });
    expect(quick).toMatchObject({ splitMetres: 1000, seconds: 1470 });
  });

  test("of which another recording is asked for, or without a point, has nothing to draw", async () => {
    expect(await outlineOfFile(packedAs(gpx(places)), 1, 1000)).toEqual({ problem: "holds nothing to draw" });
    expect(await outlineOfFile(packedAs(gpx([])), 0, 1000)).toEqual({ problem: "holds nothing to draw" });
    expect(await outlineOfFile(packedAs("no track at all"), 0, 1000)).toEqual({ problem: "holds nothing to draw" });
  });

  test("as a course's map is every track of it, with no line from one to the next", async () => {
    const two = gpx(places).replace(
      "</gpx>",
      `${gpx(places.map((place) => ({ ...place, lon: 17 }))).match(/<trk>.*<\/trk>/)?.[0]}</gpx>`,
    );
    const outline = await outlineOfFile(packedAs(two), undefined, 1000);
    expect("lines" in outline && outline.lines.map((line) => [line[0]?.lon, line.at(-1)?.lon])).toEqual([
      [16, 16],
      [17, 17],
    ]);
  });
});
