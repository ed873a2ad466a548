/**
 * Tells whether the track of a workout follows the line of a course. The measure is the discrete Fréchet distance (Eiter and Mannila, 1994): two people
 * walk along the two lines, never back, and the distance is the length of the shortest lead that joins them all the way. So the order and the
 * direction count, which a Hausdorff distance ignores.
 */
import { type NearSamples, TrackGrid } from "./near-samples.ts";
import { fromSample, reversed, type ThinLine } from "./thin-line.ts";

/** Metres. A track follows a course with a lead of `sure` and a mean of `mean`. Up to `doubtful` a person must look. */
export const FOLLOWING = { sure: 40, mean: 20, doubtful: 80 } as const;

/** Metres by which the nearest course must be nearer than the next one, on average. */
export const CLEARLY_NEARER = 10;

/** A watch is started a little late and stopped a little early: 2 % of the course at each end, and between 50 and 200 m. */
const LOOSE_END = { share: 0.02, least: 50, most: 200 } as const;

/** Metres between the ends of a loop. */
const LOOP_GAP = 100;

/** Places of a loop where a track may begin: it may cross itself there. */
const MOST_BEGINNINGS = 4;

/** How a track and a course belong together. Only the first one is sure. */
export type Manner =
  /** From one end to the other. */
  | "follows"
  /** From one end to the other, with more than the tolerance between them. */
  | "wide"
  /** From the end of the course to its start. */
  | "reversed"
  /** The whole course is a part of the track. */
  | "longer"
  /** Both wind through one place so often that nobody can tell. */
  | "tangled";

/** What a track and a course have in common. All numbers are metres. */
export interface Following {
  readonly manner: Manner;
  /** From a sample of the track to the nearest of the course: on average, and at most. 0 for `tangled`. */
  readonly mean: number;
  readonly most: number;
  /** The lengths of both lines. */
  readonly track: number;
  readonly course: number;
}

/** Compares one track with courses. */
export function compareTrack(track: ThinLine): (course: ThinLine) => Following | undefined {
  const grid = new TrackGrid(track, FOLLOWING.doubtful);
  return (course) => {
    const lengths = { track: track.metres, course: course.metres };
    const ahead = grid.near(course);
    if (ahead === undefined) return { manner: "tangled", mean: 0, most: 0, ...lengths };
    const apart = distancesOf(ahead, track);
    const manner = mannerOf(grid, course, ahead, apart);
    return manner && { manner, ...apart, ...lengths };
  };
}

function mannerOf(
  grid: TrackGrid,
  course: ThinLine,
  ahead: NearSamples,
  { mean }: Pick<Following, "mean">,
): Manner | undefined {
  const { track } = grid;
  const { sure, doubtful } = FOLLOWING;
  if (isWhole(grid, course, ahead, sure)) return mean <= FOLLOWING.mean ? "follows" : "wide";
  if (isWhole(grid, course, ahead, doubtful)) return "wide";
  const back = reversed(course);
  const nearBack = grid.near(back);
  if (nearBack !== undefined && isWhole(grid, back, nearBack, sure)) return "reversed";
  const anywhere = { begins: () => true, ends: () => true };
  return walks(track, course, ahead, { within: sure, ...anywhere }) ? "longer" : undefined;
}

/** Whether the whole track goes along the whole course. A loop may begin anywhere. */
function isWhole(grid: TrackGrid, course: ThinLine, near: NearSamples, within: number): boolean {
  const { track } = grid;
  const loose = Math.min(LOOSE_END.most, Math.max(LOOSE_END.least, course.metres * LOOSE_END.share));
  const ends = {
    begins: (at: number) => (track.at[at] ?? 0) <= loose,
    ends: (at: number) => (track.at[at] ?? 0) >= track.metres - loose,
  };
  if (walks(track, course, near, { within, ...ends })) return true;
  if (!isLoop(course)) return false;
  return beginningsOf(near, within).some((first) => {
    const turned = fromSample(course, first);
    const nearTurned = grid.near(turned);
    return nearTurned !== undefined && walks(track, turned, nearTurned, { within, ...ends });
  });
}

/** The length of a loop that is walked once: both ends of it are one place. */
function isLoop({ lat, lon }: ThinLine): boolean {
  const last = lat.length - 1;
  const metres = 111_195;
  const [dLat, dLon] = [(lat[last] ?? 0) - (lat[0] ?? 0), (lon[last] ?? 0) - (lon[0] ?? 0)];
  return Math.hypot(dLat * metres, dLon * metres * Math.cos(((lat[0] ?? 0) * Math.PI) / 180)) <= LOOP_GAP;
}

/** The samples of the course where the track begins: the nearest one of each stretch that passes there. */
function beginningsOf({ first, sample, apart }: NearSamples, within: number): readonly number[] {
  const stretches: { row: number; metres: number }[] = [];
  let before = -2;
  for (let row = 0; row + 1 < first.length; row++) {
    const pair = first[row] ?? 0;
    if (pair >= (first[row + 1] ?? 0) || sample[pair] !== 0 || (apart[pair] ?? 0) > within) continue;
    const here = { row, metres: apart[pair] ?? 0 };
    const last = stretches.at(-1);
    if (last === undefined || before !== row - 1) stretches.push(here);
    else if (here.metres < last.metres) Object.assign(last, here);
    before = row;
  }
  return stretches.slice(0, MOST_BEGINNINGS).map(({ row }) => row);
}

/** A walk along two lines: how long the lead is, and at which samples of the track it may begin and end. */
interface Walk {
  readonly within: number;
  readonly begins: (at: number) => boolean;
  readonly ends: (at: number) => boolean;
}

/** Whether such a walk leads along the course from end to end, up to its loose ends. */
function walks(track: ThinLine, course: ThinLine, { first, sample, apart }: NearSamples, walk: Walk): boolean {
  const loose = Math.min(LOOSE_END.most, Math.max(LOOSE_END.least, course.metres * LOOSE_END.share));
  // The last sample of the course from which each sample of the track was reached.
  const reached = new Int32Array(track.lat.length).fill(-2);
  for (let row = 0; row < course.lat.length; row++) {
    const done = course.at[row] ?? 0;
    let isAny = false;
    for (let pair = first[row] ?? 0; pair < (first[row + 1] ?? 0); pair++) {
      if ((apart[pair] ?? 0) > walk.within) continue;
      const at = sample[pair] ?? 0;
      const isReached =
        reached[at] === row - 1 || (at > 0 && (reached[at - 1] ?? -2) >= row - 1) || (done <= loose && walk.begins(at));
      if (!isReached) continue;
      reached[at] = row;
      isAny = true;
      if (done >= course.metres - loose && walk.ends(at)) return true;
    }
    if (!isAny && done > loose) return false;
  }
  return false;
}

/** How far the samples of the track are from the course, those that are near it. */
function distancesOf({ sample, apart }: NearSamples, track: ThinLine): Pick<Following, "mean" | "most"> {
  const nearest = new Float64Array(track.lat.length).fill(Number.POSITIVE_INFINITY);
  for (const [pair, at] of sample.entries()) nearest[at] = Math.min(nearest[at] ?? 0, apart[pair] ?? 0);
  const known = nearest.filter(Number.isFinite);
  if (known.length === 0) return { mean: 0, most: 0 };
  return {
    mean: known.reduce((sum, metres) => sum + metres, 0) / known.length,
    most: known.reduce((a, b) => Math.max(a, b), 0),
  };
}
