/**
 * The activity table: it maps every platform's names for a sport to a small set of activities. A second table (`assumptions.ts`,
 * overridable in the config file) maps these to the log's `activityID` and `workoutID`.
 *
 * Only a whole name matches: no substrings ("brunch" is not a run), and no default. For an unknown name logferry asks, or rejects the
 * record.
 */

/** The small set. `other` is a sport that logferry knows, and that probably has no activity in the log. */
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

/** The kind of training of a workout. */
export type WorkoutType = (typeof WORKOUT_TYPES)[number];

/** A FIT `sport`, alone or with its deciding `sub_sport`: `[4]`, `[4, 15]`. */
type FitSport = readonly [sport: number] | readonly [sport: number, subSport: number];

interface ActivityRow {
  readonly activity: string;
  /** FIT profile numbers. A pair wins over a lone sport. */
  readonly fit: readonly FitSport[];
  /** Names of every platform and language, folded by `foldSport`. */
  readonly names: readonly string[];
}

/**
 * `other` also takes a platform's word for training outside its sports (Strava's Workout, Garmin's Cardio, Fitbit's Sport). Some names
 * cover several sports that logferry distinguishes. They stay out of the table, and logferry asks: `UNDECIDED` in `sport-names.test.ts`
 * lists them with the reasons.
 *
 * Sources: Strava's SportType list and the labels of its English, German, French and Dutch exports; Garmin Connect's typeKeys by family;
 * the FIT profile's `sport` and `sub_sport` enums; the three words of TCX `Sport` and the other words in real files; GPX `<type>` (Strava's
 * numbers 1, 4, 9, 10, 16 among them); the lists of Runkeeper, Polar, Suunto, COROS, Fitbit, Apple Health, Runtastic, Endomondo, Komoot,
 * Peloton and others; words people type into spreadsheets.
 */
export const ACTIVITIES = [
  {
    activity: "run",
    fit: [[1], [4, 1], [4, 45]],
    names: words(`
      run, runs, läufe, corse, corridas, cap, 🏃, running, jog, jogging, trail run, virtual run, treadmill, treadmill run, treadmill running, track,
      street running, track running, trail running, indoor running, ultra run, obstacle run,
      orienteering, lauf, laufen, traillauf, virtueller lauf, course à pied, trail, course à pied virtuelle,
      hardloopsessie, hardlopen, trailrun, juoksu, correr, carrera, löpning, 9,
      outdoor run, indoor run, indoor run / jog, track run, road running, track and field running, track and field, track & field,
      tread bootcamp, plogging, laufband, laufbandtraining, løb, löpband, bieganie, entrenamiento en cinta, corrida,
      corrida em esteira, corrida em trilhas, futás, beltéri futás, teremfutás,
      lauftraining, footing, course, courir, corsa, corsa su strada, correre, corriendo, hardloop, duurloop, löptur, løbetur, løbe, bieg, biegi,
      correr al aire libre, correr en interior, bieganie na bieżni, bieganie w terenie, bieg terenowy,
      ランニング, ラン, ジョギング, ジョグ,
      běh, běhání, løping, løpetur, futótúra
    `),
  },
  {
    activity: "bike",
    fit: [[2], [21], [4, 5], [4, 6]],
    names: words(`
      bike, 🚴, 🚵, 🚲, biking, ride, rides, radfahrten, cycle, cycling, spin, spinning, mtb, mountain bike ride, mountain biking,
      gravel ride, e bike ride, e mountain bike ride, virtual ride, velomobile, handcycle, road biking,
      cyclocross, downhill biking, track cycling, recumbent cycling, indoor cycling, bmx, gravel cycling,
      e bike mountain, e bike fitness, hand cycling, enduro mtb, e enduro mtb, cycling sport,
      cycling transportation, road cycling, rad, radfahrt, radfahren, virtuelle radfahrt, mountainbike fahrt,
      gravel fahrt, e bike fahrt, sortie à vélo, vélo, sortie à vélo virtuelle, vtt, fietsrit,
      virtuele fietsrit, fietsen, pyöräily, bicicleta, cykling, 1,
      bike ride, bicycling, outdoor bike, indoor bike, indoor ride, mountain bike, mtn bike, mtn biking, mountain riding,
      mountain ebike, e mountain biking, e bike, road ebike, gravel, gravel road bike, helmet bike, handbike, race cycling, touring bicycle,
      e touring bicycle, race bike, e race bike, mtb easy, e mtb easy, mtb advanced, e mtb advanced, e mtb, downhill bike,
      e downhill bike, city bike, e city bike, e gravel, bikepacking, e bikepacking, commuting ride, exercise bike, bike erg,
      rolle, rollentraining, bike bootcamp, indoor hand cycling, cycling trekking, cycling transport, cycling virtual, mountain biking electric,
      inomhuscykling, ciclismo, ciclismo virtual, ciclismo em local fechado, ciclismo em estradas, ciclismo na montanha,
      kerékpározás, szobakerékpározás, kerékpár, biciklizés, bicikli,
      e biking, velo, fahrrad, fahrradfahren, radtour, rennrad, rennradfahren, spinning, cyclisme, bici, ciclismo de ruta, bicicletta, bicicletta da corsa, bike ride, pedal, pedalada, fiets,
      racefiets, wielrennen, cykel, cykeltur, cykla, rower, kolarstwo, jazda na rowerze, kolarstwo szosowe, kolarstwo górskie, rower stacjonarny, 自転車, サイクリング, ロードバイク,
      kolo, cyklistika, sykling, sykkel
    `),
  },
  {
    activity: "swim",
    fit: [[5]],
    names: words(`
      swim, swims, 🏊, swimming, pool, pool swim, lap swimming, open water swimming, open water, schwimmen, natation,
      zwemmen, uinti, natación, simning, 16,
      pool swimming, swimming in open water, open water swim, lap swim, simbassäng, natação em piscina, natação em alto mar,
      nyíltvízi úszás, úszás,
      schwimmbadschwimmen, natación en piscina, natation en piscine, nuoto in piscina, pływanie na basenie, medenceúszás,
      schwimmtraining, nage, nager, nadar, nuoto, nuotare, natação, piscine, piscina, zwembad, simma, svømning, svømme, pływanie, basen, pływanie w basenie, pływanie na otwartym akwenie, 水泳, スイム,
      plavání, svømming
    `),
  },
  {
    activity: "walk",
    fit: [[11]],
    names: words(`
      walk, walks, 🚶, walking, casual walking, speed walking, nordic walking, fitness walking, treadmill walking,
      wheelchair, spaziergang, gehen, marche, wandeling, wandelen, kävely, caminata, 10,
      outdoor walk, indoor walk, indoor walking, dog walk, step counter, wheelchair push walk, wheelchair push run, wheelchair walk pace,
      wheelchair run pace, wheelchair walk, parasports wheelchair, gång, gyaloglás,
      spazieren, spazierengehen, balade, promenade, caminar, paseo, andar, camminata, passeggiata, caminhada, caminhar, lopen wandelen, promenad, gå, gåtur, gang, spacer, marsz, chód,
      ウォーキング, 散歩,
      chůze, kävelylenkki
    `),
  },
  {
    activity: "hike",
    fit: [[17], [16], [35]],
    names: words(`
      hike, 🥾, hiking, trek, trekking, rucking, mountaineering, snowshoe, snowshoeing, snow shoe, wanderung,
      wandern, schneeschuhwandern, randonnée, hiken, vaellus, senderismo, 4,
      trail hiking, off trail hiking, backpacking, snowshoes, mtn climb, via ferrata, wędrówka, wędrówki,
      turistika, fottur, túra
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
      elliptique,
      stairmaster, stairmaster / stepwell, stair climber, climb stairs, stairs, stair, step machine
    `),
  },
  {
    activity: "weight",
    fit: [[10, 20], [62], [4, 20]],
    names: words(`
      weight, 🏋, weights, weight training, strength, strength training, lift, lifting, gym, core, crossfit,
      high intensity interval training, hiit, krafttraining, gewichtstraining, musculation, krachttraining,
      fuerza,
      traditional strength training, functional strength training, functional training, core training, weight workout,
      weight machines, lift weights, gym workout, outdoor gym, circuit, circuit training, kettlebell, bodyweight, tabata,
      callisthenics, suspension, powerlifting, olympic lifting, push ups, pull ups, sit ups, squats, burpees, styrketräning,
      erősítő edzés,
      kraft, krafttraining, renforcement, renfo, fuerza, pesas, gimnasio, pesi, palestra, musculação, academia, kracht, styrka, styrke, styrketräning, siłownia,
      entrenamiento con pesas, entrenamiento de fuerza tradicional, entraînement aux poids, trening siłowy, 筋トレ,
      posilovna, styrketrening
    `),
  },
  {
    activity: "row",
    fit: [[15], [4, 14]],
    names: words(`
      row, 🚣, rowing, virtual row, indoor rowing, erg, canoeing, rudern, aviron, roeien,
      rowing machine, row erg, indoor rower, indoor row, rowing indoor, row bootcamp, remo, indoor rudern, wiosłowanie, wiosłowanie pod dachem, wioślarstwo,
      roing
    `),
  },
  {
    activity: "ski",
    fit: [[12], [13], [14]],
    names: words(`
      ski, ⛷, 🎿, skiing, nordic ski, alpine ski, backcountry ski, snowboard, roller ski, cross country skiing, xc,
      xc ski, skate skiing, resort skiing, resort snowboarding, resort skiing snowboarding,
      backcountry skiing, backcountry snowboarding, alpine skiing, snowboarding, crosscountryskiing, langlauf,
      skilanglauf, ski alpin, ski de fond, langlaufen, hiihto,
      downhill skiing, nordic, nordic skiing, xc skiing, skiing alpine, skiing cross country, skiing downhill, skate skiing,
      ski touring, skitour, skialpin, ski erg, speed ski, biathlon, roller skiing, roller skiing classic,
      roller skiing freestyle, snow sports, backcountry skiing snowboarding, resort skiing/snowboarding,
      längdskidåkning klassisk stil, längdskidåkning fristil, längdskidåkning klassisk stil/fristil,
      langrenn, längdskidor, běžky, skidåkning
    `),
  },
  {
    activity: "yoga",
    fit: [[10, 43], [10, 44], [10, 19], [86]],
    names: words(`
      yoga, 🧘, pilates, physical therapy, mobility, stretch, stretching,
      yoga/pilates, flexibility,
      dehnen, étirements, estiramientos, alongamento, rekken, yoga/dehnen, joga, ヨガ, ストレッチ
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
      diving, paddling, kiteboarding, windsurfing,
      workout, structured workout, cardio, mixed cardio, gym cardio, gps cardio, kardió, konditionspass, sport, group exercise,
      gym class, aerobics, zumba, barre, step training, fitness gaming, cardio dance, social dance, dancing, pole dance,
      trampoline, gymnastics, sixpack, butt training, leg training, results workout, meditation, mind and body, breathwork,
      tai chi, cooldown, preparation and recovery, play, skating, ice skating, inline, inline skate, roller skating, skaten,
      cross skating, skating sports, kick scooter, skateboarding, unicycle, climb, climbing, wall climbing,
      verticalsports wallclimbing, indoor climb, multi pitch, floor climbing, equestrian sports, horseback riding, kayak,
      whitewater, flatwater, paddle sports, sup, speedsurfing, surfing sports, wind kite surfing, kitesurfing, wakeboard,
      water fitness, water polo, water sports, underwater diving, ping pong, racket sports, team sports, disc sports, frisbee,
      baseball, softball, handball, beach volley, hockey, ice hockey, field hockey, rugby, lacrosse, futsal, american football,
      am. football, australian football, boxing, kickboxing, martial arts, wrestling, fencing, archery, bowling, curling,
      fishing, hunting, cheerleading, esport, sled, sledding, kite ski, winter sports, paragliding, skydiving, flying, motocross,
      motorbike, driving general, rope skipping,
      motorcycling, motor sports, boating, driving, hang gliding, snowmobiling, wakeboarding, wakesurfing, water skiing, water tubing,
      water sport, rafting, snorkeling, pool apnea, tactical, jumpmaster, shooting, winter sport, grinding, video gaming, racket, team sport,
      para sport, mixed martial arts
    `),
  },
] as const satisfies readonly ActivityRow[];

/** The activities by name, for messages and for checking a config file. */
export const ACTIVITY_NAMES: readonly Activity[] = ACTIVITIES.map((row) => row.activity);

/** Splits a comma-separated list, so that a row of the table is easy to read. */
function words(list: string): readonly string[] {
  return list.split(",").map((word) => word.trim());
}

/** What makes a woman, another skin or a coloured picture of an emoji. */
const MODIFIERS = /[\u200d\ufe0f\u2640\u2642\u27a1]|[\u{1f3fb}-\u{1f3ff}]/gu;

const byName = new Map<string, Activity>();
const byFit = new Map<string, Activity>();
for (const row of ACTIVITIES) {
  for (const name of row.names) byName.set(foldSport(name), row.activity);
  for (const pair of row.fit) byFit.set(pair.join(","), row.activity);
}

/**
 * The activity of a platform's name; undefined if the table doesn't have the name. Case, blanks, hyphens, underscores and brackets don't
 * count, nor do Garmin's suffixes `_v2` and `_ws` and Apple's prefix: `Stair-Stepper`, `STAIR_STEPPER` and `StairStepper` are one name. A picture
 * beside a name that is known doesn't count either: `🏃 run`.
 */
export function activityNamed(name: string): Activity | undefined {
  const folded = foldSport(name);
  return byName.get(folded) ?? byName.get(folded.replace(PICTURE_BESIDE, ""));
}

/** Pictures before a name, or behind it. */
const PICTURE_BESIDE = /^\p{Extended_Pictographic}+|\p{Extended_Pictographic}+$/gu;

/** All names of sports, in the form that `foldSport` gives. */
export const SPORT_NAMES: readonly string[] = [...byName.keys()];

/** The activity of a FIT `sport` and `sub_sport`; undefined for the general ones (generic, transition, training without a sub sport). */
export function activityOfFit(sport: number, subSport: number | undefined): Activity | undefined {
  return (subSport === undefined ? undefined : byFit.get(`${sport},${subSport}`)) ?? byFit.get(String(sport));
}

/** A name in the form that the table compares. It also folds the names that a person writes in the config file. */
export function foldSport(name: string): string {
  return name
    .normalize("NFC")
    .trim()
    .toLowerCase()
    .replace(/_(v2|ws)$/, "")
    .replace(/^hkworkoutactivitytype(?=.)/, "")
    .replace(/[\s\-_()]+/g, "")
    .replace(MODIFIERS, "");
}
