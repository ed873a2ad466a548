/**
 * Limits of a credible workout: the farthest distance that anybody covered in a time, the least that still counts as moving, and the
 * longest workout that logferry loads without asking. Each activity has one row. `docs/plausibility.md` is generated from this table.
 */
import { type Activity, foldSport } from "../activities.ts";
import type { Seconds } from "../model/workout.ts";

/** A point of a limit: a distance in metres, a time in seconds, and the source of both. */
export interface Mark {
  readonly seconds: Seconds;
  readonly metres: number;
  /** For people: `100 m in 9.58 s, Usain Bolt 2009`. */
  readonly said: string;
}

/** The limits of one activity. Between two marks a limit is a straight line on a log-log scale. */
export interface Limits {
  readonly activity: Activity;
  /** Names of sports (as sources write them) that have limits of their own within the activity. */
  readonly sports?: readonly string[];
  /** The word for a workout in a message: `run` in `as fast as the fastest run`. */
  readonly called: string;
  /** By rising seconds. The speed of the first mark holds for any shorter time, and the speed of the last mark for any longer time. */
  readonly fastest: readonly Mark[];
  /** By rising seconds. A workout shorter than the first mark may be as slow as it likes. Empty: any speed is plausible, however slow. */
  readonly slowest: readonly Mark[];
  /** The longest duration that logferry loads without asking. */
  readonly longest: Seconds;
  /** The speed range of an ordinary workout, in metres a second. It helps to find the likely unit of a column. */
  readonly usual?: readonly [least: number, most: number];
  /** The range for the median distance of a person's workouts, in metres. It also helps to find the likely unit. */
  readonly usualMetres?: readonly [least: number, most: number];
}

const HOUR = 3600;
const DAY = 24 * HOUR;

/** Longer than any race except multi-day races, and people keep those as one record a day. */
const FOUR_DAYS = 4 * DAY;

function mark(seconds: Seconds, metres: number, said: string): Mark {
  return { seconds, metres, said };
}

/**
 * World records of World Athletics (track and road) and of the International Association of Ultrarunners, as of 2025. The half marathon and
 * the marathon are the fastest ever run, though neither was ratified (a pace car, changing pacemakers).
 */
const RUNNING: readonly Mark[] = [
  mark(9.58, 100, "100 m in 9.58 s, Usain Bolt 2009"),
  mark(19.19, 200, "200 m in 19.19 s, Usain Bolt 2009"),
  mark(43.03, 400, "400 m in 43.03 s, Wayde van Niekerk 2016"),
  mark(100.91, 800, "800 m in 1:40.91, David Rudisha 2012"),
  mark(755.36, 5000, "5 km in 12:35.36, Joshua Cheptegei 2020"),
  mark(1571, 10_000, "10 km in 26:11, Joshua Cheptegei 2020"),
  mark(3402, 21_097.5, "a half marathon in 56:42, Jacob Kiplimo 2025"),
  mark(7180.2, 42_195, "a marathon in 1:59:40, Eliud Kipchoge 2019"),
  mark(21_935, 100_000, "100 km in 6:05:35, Aleksandr Sorokin 2023"),
  mark(12 * HOUR, 177_410, "177.410 km in 12 hours, Aleksandr Sorokin 2022"),
  mark(DAY, 319_614, "319.614 km in 24 hours, Aleksandr Sorokin 2022"),
  mark(6 * DAY, 1_045_519, "1,045.519 km in six days, Matthieu Bonne 2024"),
];

/** Race walking by World Athletics. The marks of a day and of six days belong to the pedestrians who hold these records. */
const WALKING: readonly Mark[] = [
  mark(331.08, 1609.344, "a mile in 5:31.08, Tom Bosworth 2017"),
  mark(4596, 20_000, "20 km in 1:16:36, Yusuke Suzuki 2015"),
  mark(12_753, 50_000, "50 km in 3:32:33, Yohann Diniz 2014"),
  mark(DAY, 228_930, "228.930 km in 24 hours, Jesse Castañeda 1976"),
  mark(6 * DAY, 854_600, "531 miles in six days, George Littlewood 1882"),
];

/** Everything with pedals: streamlined recumbents hold the short marks (IHPVA), road bikes the long ones (WUCA). */
const CYCLING: readonly Mark[] = [
  mark(5, 200, "200 m at 144.17 km/h, Todd Reichert 2016"),
  mark(HOUR, 92_439, "92.439 km in an hour, Francesco Russo 2016"),
  mark(DAY, 1_026_215, "1,026.215 km in 24 hours, Christoph Strasser 2021"),
  mark(662_160, 4_860_000, "4,860 km in 7 d 15 h 56 min, Christoph Strasser 2014"),
];

/** The pool by World Aquatics. In open water a current helps: around Manhattan, and down the Adriatic. */
const SWIMMING: readonly Mark[] = [
  mark(20.91, 50, "50 m in 20.91 s, César Cielo 2009"),
  mark(870.67, 1500, "1,500 m in 14:30.67, Bobby Finke 2024"),
  mark(20_642, 45_900, "45.9 km around Manhattan in 5:44:02, Oliver Wilkinson 2011"),
  mark(180_600, 225_000, "225 km in 50:10 h, Veljko Rogošić 2006"),
];

const ROWING: readonly Mark[] = [
  mark(60, 450, "a sprint of a minute on a rowing machine, 7.5 m/s"),
  mark(335.8, 2015, "2,000 m in 5:35.8 on a rowing machine, Josh Dunkley-Smith 2018"),
  mark(DAY, 518_400, "a day on a fast river, 6 m/s"),
];

/** Speed skiing (FIS), a downhill race, and a day of lifts and pistes as apps count it. */
const SKIING: readonly Mark[] = [
  mark(10, 710, "255.5 km/h, Simon Billy 2023"),
  mark(111.58, 3312, "3,312 m of the Streif in 1:51.58, Fritz Strobl 1997"),
  mark(HOUR, 72_000, "an hour of pistes and lifts, 20 m/s"),
  mark(DAY, 864_000, "a day of pistes and lifts, 10 m/s"),
];

/** Sports that glide, roll downhill or sail: 500 m under sail is 33.7 m/s (Paul Larsen 2012), a street luge 45 m/s. */
const GLIDING: readonly Mark[] = [
  mark(60, 3600, "the fastest sleds and boards downhill, 60 m/s"),
  mark(HOUR, 144_000, "an hour under sail on ice, 40 m/s"),
  mark(DAY, 1_682_000, "908 nautical miles under sail in 24 hours, Banque Populaire V 2009"),
];

const WHEELCHAIR: readonly Mark[] = [
  mark(60, 720, "a minute of wheelchair racing downhill, 12 m/s"),
  mark(4667, 42_195, "a marathon in 1:17:47, Marcel Hug 2021"),
  mark(DAY, 500_000, "500 km in a day"),
];

const MACHINE: readonly Mark[] = [
  mark(60, 720, "an elliptical trainer at 43 km/h"),
  mark(DAY, 500_000, "500 km in a day"),
];

const AIRLINER: readonly Mark[] = [mark(1, 350, "an airliner with the wind behind it, 350 m/s")];

/** Less than this in ten minutes is a distance in the wrong unit, not a slow workout. Less in a quarter of a day is a forgotten watch. */
const RIDDEN: readonly Mark[] = [mark(600, 12, "12 m in ten minutes"), mark(6 * HOUR, 2160, "2.16 km in six hours")];

/** The same for activities that may be slow: a summit day, a child's swimming lesson, a dog that sniffs. */
const STROLLED: readonly Mark[] = [mark(600, 12, "12 m in ten minutes"), mark(6 * HOUR, 650, "650 m in six hours")];

const DRIFTED: readonly Mark[] = [mark(600, 12, "12 m in ten minutes")];

/** The table. A row with names of sports applies only to these sports, and comes before the activity's own row. */
export const LIMITS: readonly Limits[] = [
  {
    activity: "run",
    called: "run",
    fastest: RUNNING,
    slowest: RIDDEN,
    longest: FOUR_DAYS,
    usual: [1.8, 6],
    usualMetres: [1000, 50_000],
  },
  {
    activity: "bike",
    called: "ride",
    fastest: CYCLING,
    slowest: RIDDEN,
    longest: FOUR_DAYS,
    usual: [3, 13],
    usualMetres: [3000, 200_000],
  },
  {
    activity: "swim",
    called: "swim",
    fastest: SWIMMING,
    slowest: STROLLED,
    longest: 3 * DAY,
    usual: [0.4, 2],
    usualMetres: [100, 10_000],
  },
  {
    activity: "walk",
    sports: ["wheelchair", "wheelchair push walk", "wheelchair push run"],
    called: "push of a wheelchair",
    fastest: WHEELCHAIR,
    slowest: STROLLED,
    longest: FOUR_DAYS,
  },
  {
    activity: "walk",
    called: "walk",
    fastest: WALKING,
    slowest: STROLLED,
    longest: FOUR_DAYS,
    usual: [0.7, 2.2],
    usualMetres: [500, 40_000],
  },
  {
    activity: "hike",
    called: "run",
    fastest: RUNNING,
    slowest: STROLLED,
    longest: FOUR_DAYS,
    usual: [0.4, 2],
    usualMetres: [1000, 50_000],
  },
  {
    activity: "elliptical",
    called: "machine",
    fastest: MACHINE,
    slowest: DRIFTED,
    longest: DAY,
    usual: [1, 8],
    usualMetres: [500, 40_000],
  },
  { activity: "weight", called: "run", fastest: RUNNING, slowest: [], longest: DAY },
  {
    activity: "row",
    called: "boat",
    fastest: ROWING,
    slowest: STROLLED,
    longest: FOUR_DAYS,
    usual: [1.5, 6],
    usualMetres: [500, 50_000],
  },
  {
    activity: "ski",
    called: "skier",
    fastest: SKIING,
    slowest: STROLLED,
    longest: FOUR_DAYS,
    usual: [1.5, 15],
    usualMetres: [500, 100_000],
  },
  { activity: "yoga", called: "run", fastest: RUNNING, slowest: [], longest: DAY },
  {
    activity: "other",
    sports: [
      "flying",
      "motorcycling",
      "motor sports",
      "motorsports",
      "boating",
      "driving",
      "hang gliding",
      "paragliding",
      "gliding",
      "sky diving",
      "skydiving",
      "wingsuit flying",
      "jumpmaster",
      "snowmobiling",
      "snowmobile",
      "atv",
      "overland",
      "jet skiing",
      "auto racing",
    ],
    called: "flight",
    fastest: AIRLINER,
    slowest: [],
    longest: FOUR_DAYS,
  },
  {
    activity: "other",
    called: "sail or sled",
    fastest: GLIDING,
    slowest: [],
    longest: FOUR_DAYS,
    usual: [0.3, 15],
    usualMetres: [100, 200_000],
  },
];

/**
 * The limits of a workout.
 *
 * @param sport the source's own word, if it has one
 * @returns the limits of `other` for an unknown activity
 */
export function findLimits(activity: Activity = "other", sport?: string): Limits {
  const word = sport === undefined ? undefined : foldSport(sport);
  const known = LIMITS.filter((row) => row.activity === activity);
  // A restore brings the owner's own activities, and the table has no rows for them.
  const rows = known.length > 0 ? known : LIMITS.filter((row) => row.activity === "other");
  const own = rows.find(({ sports }) => word !== undefined && sports?.some((name) => foldSport(name) === word));
  return own ?? (rows.find(({ sports }) => sports === undefined) as Limits);
}

/** The farthest credible distance in this many seconds, in metres. */
export function farthest({ fastest }: Limits, seconds: Seconds): number {
  return between(fastest, seconds);
}

/**
 * The least credible distance in this many seconds, in metres; 0 if any speed is plausible, however slow.
 *
 * @param onTheSpot whether it was certainly a workout, perhaps one on the spot; then only a distance in a wrong unit is too short
 */
export function nearest({ slowest }: Limits, seconds: Seconds, onTheSpot = false): number {
  const [first] = slowest;
  if (first === undefined || seconds < first.seconds) return 0;
  return between(onTheSpot ? [first] : slowest, seconds);
}

/** The mark that is closest to a duration, measured as a factor. */
export function markNear(marks: readonly Mark[], seconds: Seconds): Mark | undefined {
  const apart = ({ seconds: at }: Mark) => Math.abs(Math.log(Math.max(seconds, 1e-3) / at));
  return marks.toSorted((a, b) => apart(a) - apart(b))[0];
}

function between(marks: readonly Mark[], seconds: Seconds): number {
  const above = marks.findIndex((each) => each.seconds >= seconds);
  const to = marks[above === -1 ? marks.length - 1 : above] as Mark;
  const from = above <= 0 ? undefined : marks[above - 1];
  if (from === undefined) return (to.metres * seconds) / to.seconds;
  const share = Math.log(seconds / from.seconds) / Math.log(to.seconds / from.seconds);
  return from.metres * (to.metres / from.metres) ** share;
}
