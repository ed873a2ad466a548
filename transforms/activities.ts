/**
 * The activity table: every platform's names for a sport, mapped to a small set of activities. From there a second
 * table (`assumptions.ts`, overridable in the config file) leads to the log's `activityID` and `workoutID`.
 *
 * A name is found whole or not at all: no substrings ("brunch" is not a run), no default. What no row knows is asked
 * for or set aside.
 */

/** The small set. `other` is a sport we know and the log probably has no activity for. */
export type Activity = (typeof ACTIVITIES)[number]["activity"];

/** The log's built-in workout types, for Run and Bike, then for Swim. */
export const WORKOUT_TYPES = [
  "easy",
  "fartlek",
  "hill",
  "interval",
  "long",
  "race",
  "tempo",
  "back stroke",
  "breast stroke",
  "butterfly",
  "free style",
  "side stroke",
  "mixed",
] as const;

/** What kind of training a workout was. */
export type WorkoutType = (typeof WORKOUT_TYPES)[number];

/** A FIT `sport`, alone or with the `sub_sport` that decides: `[4]`, `[4, 15]`. */
type FitSport = readonly [sport: number] | readonly [sport: number, subSport: number];

interface ActivityRow {
  readonly activity: string;
  /** FIT profile numbers. A pair wins over a lone sport. */
  readonly fit: readonly FitSport[];
  /** Names of every platform and language, folded by `foldSport`. */
  readonly names: readonly string[];
}

/**
 * Sources: Strava's SportType list and the labels of its English, German, French and Dutch exports; Garmin Connect's
 * typeKeys by family; the FIT profile's `sport` and `sub_sport` enums; the three words of TCX `Sport` and what is met
 * in the wild instead; GPX `<type>` (Strava's numbers 1, 4, 9, 10, 16 among them); words people type into spreadsheets.
 */
export const ACTIVITIES = [
  {
    activity: "run",
    fit: [[1], [4, 1], [4, 45]],
    names: words(`
      run, running, jog, jogging, trail run, virtual run, treadmill, treadmill run, treadmill running, track,
      street running, track running, trail running, indoor running, ultra run, obstacle run,
      orienteering, lauf, laufen, traillauf, virtueller lauf, course à pied, trail, course à pied virtuelle,
      hardloopsessie, hardlopen, trailrun, juoksu, correr, carrera, löpning, 9
    `),
  },
  {
    activity: "bike",
    fit: [[2], [21], [4, 5], [4, 6]],
    names: words(`
      bike, biking, ride, cycle, cycling, spin, spinning, mtb, mountain bike ride, mountain biking,
      gravel ride, e bike ride, e mountain bike ride, virtual ride, velomobile, handcycle, road biking,
      cyclocross, downhill biking, track cycling, recumbent cycling, indoor cycling, bmx, gravel cycling,
      e bike mountain, e bike fitness, hand cycling, enduro mtb, e enduro mtb, cycling sport,
      cycling transportation, road cycling, rad, radfahrt, radfahren, virtuelle radfahrt, mountainbike fahrt,
      gravel fahrt, e bike fahrt, sortie à vélo, vélo, sortie à vélo virtuelle, vtt, fietsrit,
      virtuele fietsrit, fietsen, pyöräily, bicicleta, cykling, 1
    `),
  },
  {
    activity: "swim",
    fit: [[5]],
    names: words(`
      swim, swimming, pool, pool swim, lap swimming, open water swimming, open water, schwimmen, natation,
      zwemmen, uinti, natación, simning, 16
    `),
  },
  {
    activity: "walk",
    fit: [[11]],
    names: words(`
      walk, walking, casual walking, speed walking, nordic walking, fitness walking, treadmill walking,
      wheelchair, spaziergang, gehen, marche, wandeling, wandelen, kävely, caminata, 10
    `),
  },
  {
    activity: "hike",
    fit: [[17], [16], [35]],
    names: words(`
      hike, hiking, trek, trekking, rucking, mountaineering, snowshoe, snowshoeing, snow shoe, wanderung,
      wandern, schneeschuhwandern, randonnée, hiken, vaellus, senderismo, 4
    `),
  },
  {
    activity: "elliptical",
    fit: [
      [4, 15],
      [4, 16],
    ],
    names: words(`
      elliptical, stair stepper, stair climbing, crosstrainer, cross trainer, stepper, crosstrainer training,
      elliptique
    `),
  },
  {
    activity: "weight",
    fit: [[10, 20], [62], [4, 20]],
    names: words(`
      weight, weights, weight training, strength, strength training, lift, lifting, gym, core, crossfit,
      high intensity interval training, hiit, krafttraining, gewichtstraining, musculation, krachttraining,
      fuerza
    `),
  },
  {
    activity: "row",
    fit: [[15], [4, 14]],
    names: words(`
      row, rowing, virtual row, indoor rowing, erg, canoeing, rudern, aviron, roeien
    `),
  },
  {
    activity: "ski",
    fit: [[12], [13], [14]],
    names: words(`
      ski, skiing, nordic ski, alpine ski, backcountry ski, snowboard, roller ski, cross country skiing, xc,
      xc ski, skate skiing, resort skiing, resort snowboarding, resort skiing snowboarding,
      backcountry skiing, backcountry snowboarding, alpine skiing, snowboarding, crosscountryskiing, langlauf,
      skilanglauf, ski alpin, ski de fond, langlaufen, hiihto
    `),
  },
  {
    activity: "yoga",
    fit: [[10, 43], [10, 44], [10, 19], [86]],
    names: words(`
      yoga, pilates, physical therapy, mobility, stretch, stretching
    `),
  },
  {
    activity: "other",
    fit: [
      [10, 26],
      ...[
        6, 7, 8, 9, 18, 19, 20, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 36, 37, 38, 39, 40, 41, 42, 43, 44,
        45, 46, 47, 48, 49, 53, 56, 58, 59, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81,
        82, 83, 84, 85, 87, 88,
      ].map((sport) => [sport] as const),
    ],
    names: words(`
      badminton, basketball, cricket, dance, golf, ice skate, inline skate, inline skating, kayaking,
      kitesurf, padel, pickleball, racquetball, rock climb, rock climbing, sail, sailing, skateboard, soccer,
      football soccer, squash, stand up paddling, stand up paddleboarding, standuppaddleboarding, surfing,
      table tennis, tennis, volleyball, windsurf, indoor cardio, jump rope, bouldering, indoor climbing,
      diving, paddling, kiteboarding, windsurfing
    `),
  },
] as const satisfies readonly ActivityRow[];

/** The activities by name, for messages and for checking a config file. */
export const ACTIVITY_NAMES: readonly Activity[] = ACTIVITIES.map((row) => row.activity);

/** A comma-separated list, so that a row of the table reads like a row. */
function words(list: string): readonly string[] {
  return list.split(",").map((word) => word.trim());
}

const byName = new Map<string, Activity>();
const byFit = new Map<string, Activity>();
for (const row of ACTIVITIES) {
  for (const name of row.names) byName.set(foldSport(name), row.activity);
  for (const pair of row.fit) byFit.set(pair.join(","), row.activity);
}

/**
 * The activity a platform's name means, or undefined. Case, blanks, hyphens, underscores and brackets don't count, nor do
 * Garmin's suffixes `_v2` and `_ws`: `Stair-Stepper`, `STAIR_STEPPER` and `StairStepper` are one name.
 */
export function activityNamed(name: string): Activity | undefined {
  return byName.get(foldSport(name));
}

/** The activity of a FIT `sport` and `sub_sport`, or undefined (generic, transition, training without a sub sport). */
export function activityOfFit(sport: number, subSport: number | undefined): Activity | undefined {
  return (subSport === undefined ? undefined : byFit.get(`${sport},${subSport}`)) ?? byFit.get(String(sport));
}

/** A name as the table compares it. Also folds the names a person puts into the config file. */
export function foldSport(name: string): string {
  return name
    .normalize("NFC")
    .trim()
    .toLowerCase()
    .replace(/_(v2|ws)$/, "")
    .replace(/[\s\-_()]+/g, "");
}
