/**
 * The few tables of the FIT profile that we need. Numbers and names are facts of Garmin's published profile (the
 * snake_case names that its tools share). Its other messages and fields are not read.
 */

import type { Sex } from "../../../transforms/model/owner-evidence.ts";

/** Message numbers (`mesg_num`). */
export const MESSAGE = {
  fileId: 0,
  userProfile: 3,
  sport: 12,
  session: 18,
  lap: 19,
  record: 20,
  event: 21,
  course: 31,
  activity: 34,
  hr: 132,
  fieldDescription: 206,
  developerDataId: 207,
} as const;

/** Field numbers, by message. `timestamp` is 253 in all of them. */
export const FIELD = {
  timestamp: 253,
  fileId: { type: 0, manufacturer: 1, product: 2, serial: 3, timeCreated: 4, productName: 8 },
  userProfile: { gender: 1, age: 2, weight: 4 },
  sport: { sport: 0, subSport: 1 },
  session: {
    start: 2,
    startLat: 3,
    startLon: 4,
    sport: 5,
    subSport: 6,
    elapsed: 7,
    timer: 8,
    distance: 9,
    calories: 11,
    avgHR: 16,
    maxHR: 17,
    ascent: 22,
    firstLap: 25,
    lapCount: 26,
  },
  lap: { start: 2, elapsed: 7, timer: 8, distance: 9, avgHR: 15, maxHR: 16, intensity: 23, trigger: 24 },
  record: {
    lat: 0,
    lon: 1,
    altitude: 2,
    heartRate: 3,
    cadence: 4,
    distance: 5,
    speed: 6,
    power: 7,
    temperature: 13,
    fractionalCadence: 53,
    enhancedSpeed: 73,
    enhancedAltitude: 78,
  },
  event: { event: 0, eventType: 1 },
  course: { sport: 4, name: 5, subSport: 7 },
  activity: { localTimestamp: 5 },
  hr: { fractionalTimestamp: 0, filteredBpm: 6, eventTimestamp: 9, eventTimestamp12: 10 },
  fieldDescription: {
    index: 0,
    number: 1,
    baseType: 2,
    name: 3,
    scale: 6,
    shift: 7,
    units: 8,
    nativeMessage: 14,
    nativeField: 15,
  },
} as const;

/** Degrees of a semicircle: 2^31 of them are half a turn. Exact in binary, so a product with it is rounded only once. */
export const DEGREES = 180 / 2 ** 31;

/** Stored integers to a quantity: `value / scale - shift`. */
export const SCALE = {
  /** Seconds, stored in milliseconds. */
  seconds: 1000,
  /** Metres, stored in centimetres. */
  distance: 100,
  /** Metres a second, stored in millimetres. */
  speed: 1000,
  altitude: 5,
  /** Metres below sea level that are stored as 0. */
  altitudeShift: 500,
  fractionalCadence: 128,
  /** `hr.event_timestamp`: seconds in 1024ths, as heart-rate straps count. */
  beat: 1024,
  fractionalTimestamp: 32768,
  /** Kilograms, stored in tenths. */
  weight: 10,
} as const;

/** Seconds from 1970 to FIT's own epoch, 1989-12-31T00:00:00Z. */
export const EPOCH_SECONDS = 631_065_600;

/**
 * A `date_time` below this counts seconds since the device was switched on. It is no calendar date (FIT profile,
 * `date_time`). Seen in antfs-dump.63.fit and garmin-virb-ultra-30.fit. Naive readers date them in 1990.
 */
export const FIRST_CALENDAR_SECOND = 0x10000000;

/**
 * A FIT `date_time` as an instant.
 *
 * @param seconds since 1989-12-31T00:00:00Z
 * @returns milliseconds since 1970 UTC; undefined for undefined and for times without a calendar date
 */
export function instantOf(seconds: number | undefined): number | undefined {
  if (seconds === undefined || seconds < FIRST_CALENDAR_SECOND) return undefined;
  return (seconds + EPOCH_SECONDS) * 1000;
}

/** Beats a minute. 255 is "nothing here" already. Devices without a strap write 0, and a living athlete never has 0. */
export function heartRate(stored: number | undefined): number | undefined {
  return stored === 0 ? undefined : stored;
}

/** `file_id.type`. */
export const FILE_TYPE = { activity: 4, course: 6 } as const;

const FILE_TYPES = table(`
  1 device, 2 settings, 3 sport, 4 activity, 5 workout, 6 course, 7 schedules, 8 locations, 9 weight, 10 totals,
  11 goals, 14 blood_pressure, 15 monitoring_a, 20 activity_summary, 28 monitoring_daily, 32 monitoring_b, 34 segment,
  35 segment_list, 40 exd_configuration
`);

const SPORTS = table(`
  0 generic, 1 running, 2 cycling, 3 transition, 4 fitness_equipment, 5 swimming, 6 basketball, 7 soccer, 8 tennis,
  9 american_football, 10 training, 11 walking, 12 cross_country_skiing, 13 alpine_skiing, 14 snowboarding, 15 rowing,
  16 mountaineering, 17 hiking, 18 multisport, 19 paddling, 20 flying, 21 e_biking, 22 motorcycling, 23 boating,
  24 driving, 25 golf, 26 hang_gliding, 27 horseback_riding, 28 hunting, 29 fishing, 30 inline_skating,
  31 rock_climbing, 32 sailing, 33 ice_skating, 34 sky_diving, 35 snowshoeing, 36 snowmobiling,
  37 stand_up_paddleboarding, 38 surfing, 39 wakeboarding, 40 water_skiing, 41 kayaking, 42 rafting, 43 windsurfing,
  44 kitesurfing, 45 tactical, 46 jumpmaster, 47 boxing, 48 floor_climbing, 49 baseball, 53 diving, 56 shooting,
  58 winter_sport, 59 grinding, 62 hiit, 63 video_gaming, 64 racket, 65 wheelchair_push_walk, 66 wheelchair_push_run,
  67 meditation, 68 para_sport, 69 disc_golf, 70 team_sport, 71 cricket, 72 rugby, 73 hockey, 74 lacrosse,
  75 volleyball, 76 water_tubing, 77 wakesurfing, 78 water_sport, 79 archery, 80 mixed_martial_arts, 81 motor_sports,
  82 snorkeling, 83 dance, 84 jump_rope, 85 pool_apnea, 86 mobility, 87 geocaching, 88 canoeing, 254 all
`);

/** `user_profile.gender`. */
export const GENDERS: ReadonlyMap<number, Sex> = new Map([
  [0, "female"],
  [1, "male"],
]);

/** The makers of our test files, and of common head units, watches and trainers. */
const MANUFACTURERS = table(`
  1 garmin, 6 srm, 15 dynastream, 16 timex, 23 suunto, 32 wahoo_fitness, 37 magellan, 38 osynce, 40 concept2,
  54 ifor_powell, 68 cateye, 69 stages_cycling, 70 sigmasport, 71 tomtom, 73 wattbike, 76 moxy, 87 nielsen_kellerman,
  89 tacx, 95 stryd, 107 magene, 115 igpsport, 123 polar_electro, 255 development, 258 lezyne, 260 zwift, 265 strava,
  267 bryton, 281 trainer_road, 282 the_sufferfest, 284 virtualtraining, 289 hammerhead, 294 coros, 307 onelap,
  309 form, 310 decathlon, 331 mywhoosh, 340 peloton, 348 huawei
`);

const INTENSITIES = table("0 active, 1 rest, 2 warmup, 3 cooldown, 4 recovery, 5 interval, 6 other");

const LAP_TRIGGERS = table(`
  0 manual, 1 time, 2 distance, 3 position_start, 4 position_lap, 5 position_waypoint, 6 position_marked,
  7 session_end, 8 fitness_equipment
`);

/** The name of a `sport` number. If the profile has no name, it is `sport_51`, so that a person can still map it. */
export function sportNamed(number: number): string {
  return SPORTS.get(number) ?? `sport_${number}`;
}

/** The name of a `file_id.type`. If we have no name, it is `type_12`. */
export function fileTypeNamed(number: number): string {
  return FILE_TYPES.get(number) ?? `type_${number}`;
}

/** The name of a `manufacturer`. If we have no name, it is the number itself. */
export function manufacturerNamed(number: number): string {
  return MANUFACTURERS.get(number) ?? String(number);
}

/** The name of a lap's `intensity`; undefined if the profile has none. */
export function intensityNamed(number: number): string | undefined {
  return INTENSITIES.get(number);
}

/** The name of a `lap_trigger`; undefined if the profile has none. */
export function lapTriggerNamed(number: number): string | undefined {
  return LAP_TRIGGERS.get(number);
}

/** Makes a table from a list of `number name` pairs. */
function table(list: string): ReadonlyMap<number, string> {
  return new Map(
    list.split(",").map((pair) => {
      const [number, name] = pair.trim().split(" ");
      return [Number(number), name as string];
    }),
  );
}
