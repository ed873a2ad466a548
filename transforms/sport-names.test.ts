import { describe, expect, test } from "vitest";
import { type Activity, activityNamed, activityOfFit } from "./activities.ts";

// What the platforms call their sports, typed by hand from their own lists and from exports, with the source of each. A name is an activity or is
// undecided for a stated reason; a name that is neither fails.

type Words = Partial<Record<Activity, string>> & { readonly undecided?: string };

const NAMES: Readonly<Record<string, Words>> = {
  "Strava, SportType of the API (other-loggers 2a)": {
    run: "Run, TrailRun, VirtualRun",
    bike: "EBikeRide, EMountainBikeRide, GravelRide, Handcycle, MountainBikeRide, Ride, Velomobile, VirtualRide",
    swim: "Swim",
    walk: "Walk, Wheelchair",
    hike: "Hike, Snowshoe",
    elliptical: "Elliptical, StairStepper",
    weight: "Crossfit, HighIntensityIntervalTraining, WeightTraining",
    row: "Canoeing, Rowing, VirtualRow",
    ski: "AlpineSki, BackcountrySki, NordicSki, RollerSki, Snowboard",
    yoga: "PhysicalTherapy, Pilates, Yoga",
    other:
      "Badminton, Basketball, Cricket, Dance, Golf, IceSkate, InlineSkate, Kayaking, Kitesurf, Padel, Pickleball, Racquetball, RockClimbing, Sail, Skateboard, Soccer, Squash, StandUpPaddling, Surfing, TableTennis, Tennis, Volleyball, Windsurf, Workout",
  },
  "Strava, labels in German, French and Dutch exports (account-exports 1.5)": {
    run: "Lauf, Course à pied, Hardloopsessie",
    bike: "Radfahrt, Fietsrit, Virtuele fietsrit",
    swim: "Schwimmen, Natation",
    walk: "Spaziergang, Wandeling",
    hike: "Wanderung, Randonnée, Hiken",
    weight: "Krachttraining",
  },
  "Garmin Connect, type keys (other-loggers 2b, account-exports 2.2)": {
    run: "running, trail_running, street_running, track_running, treadmill_running, virtual_run, obstacle_run, indoor_running, ultra_run",
    bike: "cycling, mountain_biking, road_biking, cyclocross, downhill_biking, track_cycling, recumbent_cycling, indoor_cycling, bmx, gravel_cycling, virtual_ride, e_bike_mountain, e_bike_fitness, hand_cycling, indoor_hand_cycling, enduro_mtb, e_enduro_mtb",
    swim: "swimming, lap_swimming, open_water_swimming",
    walk: "walking, casual_walking, speed_walking, wheelchair_push_run, wheelchair_push_walk",
    hike: "hiking, rucking, mountaineering, snow_shoe_ws",
    elliptical: "elliptical, stair_climbing",
    weight: "strength_training, hiit",
    row: "indoor_rowing, rowing_v2",
    ski: "backcountry_skiing_snowboarding_ws, skate_skiing_ws, cross_country_skiing_ws, resort_skiing_snowboarding_ws, backcountry_skiing, backcountry_snowboarding, resort_skiing, resort_snowboarding",
    yoga: "pilates, yoga, mobility",
    other:
      "indoor_cardio, wind_kite_surfing, horseback_riding, driving_general, flying, inline_skating, golf, rock_climbing, diving, floor_climbing, breathwork, winter_sports, skating_ws, indoor_climbing, bouldering, soccer, basketball, squash, badminton, tennis_v2, kayaking_v2, paddling_v2, stand_up_paddleboarding_v2, surfing_v2, sailing_v2, windsurfing_v2, kiteboarding_v2, boxing, dance, jump_rope, team_sports, racket_sports",
    undecided:
      "other, fitness_equipment, multi_sport, transition_v2, swimToBikeTransition_v2, bikeToRunTransition_v2, runToBikeTransition_v2",
  },
  "Garmin Connect, Activities.csv in nine languages (account-exports 3)": {
    run: "Running, Treadmill Running, Track Running, Trail Running, Laufen, Laufbandtraining, Løb, Löpning, Löpband, Bieganie, Bieganie na bieżni, Carrera, Entrenamiento en cinta, Corrida, Corrida em esteira, Corrida em trilhas, Futás, Beltéri futás, Teremfutás",
    bike: "Cycling, Road Cycling, Mountain Biking, eMountain Biking, Indoor Cycling, Cykling, Inomhuscykling, Ciclismo, Ciclismo virtual, Ciclismo em local fechado, Ciclismo em estradas, Ciclismo na montanha, Kerékpározás, Szobakerékpározás",
    swim: "Pool Swim, Pool Swimming, Open Water Swimming, Simbassäng, Natação em piscina, Natação em alto mar, Nyíltvízi úszás",
    walk: "Walking, Casual Walking, Gång, Gyaloglás",
    hike: "Hiking, Wędrówka",
    elliptical: "Elliptical",
    weight: "Strength Training, HIIT, Styrketräning, Erősítő edzés, Trening siłowy",
    row: "Wiosłowanie pod dachem",
    ski: "Resort Skiing/Snowboarding, Längdskidåkning klassisk stil, Längdskidåkning fristil",
    yoga: "Yoga, Joga",
    other: "Cardio, Konditionspass, Kardió, Stand Up Paddleboarding, Motocross",
    undecided: "Gym & Fitness Equipment, Multisport, Other, Annan",
  },
  "Exports in Spanish, French and German: words that mean one sport alone": {
    run: "Correr al Aire Libre, Correr en Interior",
    row: "Remo, Indoor-Rudern",
    weight: "Entrenamiento con pesas, Entrenamiento de Fuerza Tradicional, Entraînement aux poids",
  },
  "Runkeeper, cardioActivities.csv (account-exports 4)": {
    run: "Running",
    bike: "Cycling, Mountain Biking, Spinning",
    swim: "Swimming",
    walk: "Walking, Nordic Walking",
    hike: "Hiking",
    elliptical: "Elliptical, Stairmaster / Stepwell, Stairmaster",
    weight: "Strength Training",
    row: "Rowing",
    ski: "Cross-Country Skiing, Downhill Skiing",
    yoga: "Yoga",
    other: "Skating",
    undecided: "Other",
  },
  "Polar Flow and the words of its XML (account-exports 6, formats)": {
    run: "RUNNING, JOGGING, ROAD_RUNNING, TRACK_AND_FIELD_RUNNING, TRAIL_RUNNING, TREADMILL_RUNNING",
    bike: "CYCLING, ROAD_BIKING, INDOOR_CYCLING, MOUNTAIN_BIKING, Exercise Bike",
    swim: "SWIMMING, OPEN_WATER_SWIMMING, POOL_SWIMMING",
    walk: "WALKING, NORDIC_WALKING, PARASPORTS_WHEELCHAIR",
    hike: "HIKING",
    weight: "STRENGTH_TRAINING, FUNCTIONAL_TRAINING, CORE",
    row: "ROWING, INDOOR_ROWING",
    ski: "DOWNHILL_SKIING, CROSS-COUNTRY_SKIING, SNOWBOARDING, ROLLER_SKIING_CLASSIC, ROLLER_SKIING_FREESTYLE",
    yoga: "PILATES, YOGA",
    other: "SKATING, GROUP_EXERCISE, VERTICALSPORTS_WALLCLIMBING, Soccer, Futsal, Squash",
    undecided: "OTHER_INDOOR, OTHER_OUTDOOR, Other sport, Cross-country",
  },
  "Suunto and Sports Tracker (account-exports 7, other-loggers 21)": {
    run: "Run, Running, Orienteering, Track and field, Trail running, Treadmill",
    bike: "Cycling, MTB, Indoor cycling",
    swim: "Swimming, Open water swim, Pool swimming",
    walk: "Walking, Nordic walking",
    hike: "Trekking, Mountaineering, Snowshoe, Hiking",
    elliptical: "Crosstrainer",
    weight: "Circuit, Weights, Kettlebell, Crossfit, Gym, Outdoor gym",
    row: "Rowing, Indoor rowing",
    ski: "Alpine ski, Snowboard, XC ski, Ski touring, Roller ski",
    yoga: "Yoga/Pilates",
    other:
      "Skating, Aerobics, Sailing, Kayaking, Climbing, Basketball, Soccer, Ice hockey, Volleyball, Tennis, Badminton, Squash, Boxing, Golf, Ice skating, SUP, Fishing, Hunting, Roller skating, Paddling",
    undecided:
      "Not specified, Multisport, Triathlon, Swimrun, Duathlon, Aquathlon, Adventure racing, Riding, Indoor training, Indoor",
  },
  "COROS (account-exports 8)": {
    run: "run, indoorRun, trailRun, trackRun",
    bike: "bike, indoorBike, roadEbike, gravelRoadBike, mountainRiding, mountainEbike, helmetBike",
    swim: "poolSwim, openWater",
    walk: "walk",
    hike: "hike, mtnClimb",
    elliptical: "climbStairs",
    weight: "strength",
    row: "row, indoorRow",
    ski: "ski, snowboard, xcSki, skiTouring",
    other:
      "climb, gymCardio, gpsCardio, whitewater, flatwater, windsurfing, speedsurfing, indoorClimb, bouldering, jumpRope, multiPitch",
    undecided: "customSport, triathlon, multiSport",
  },
  "Apple Health, workoutActivityType (account-exports 11)": {
    run: "HKWorkoutActivityTypeRunning, TrackAndField",
    bike: "HKWorkoutActivityTypeCycling, HandCycling",
    swim: "HKWorkoutActivityTypeSwimming",
    walk: "HKWorkoutActivityTypeWalking, WheelchairWalkPace, WheelchairRunPace",
    hike: "HKWorkoutActivityTypeHiking",
    elliptical: "Elliptical, StairClimbing, Stairs",
    weight:
      "HKWorkoutActivityTypeFunctionalStrengthTraining, TraditionalStrengthTraining, CoreTraining, HighIntensityIntervalTraining",
    row: "Rowing",
    ski: "CrossCountrySkiing, DownhillSkiing, Snowboarding, SnowSports",
    yoga: "Yoga, Pilates, Flexibility",
    other:
      "MixedCardio, Cooldown, MindAndBody, Dance, CardioDance, SocialDance, SkatingSports, PaddleSports, SurfingSports, WaterFitness, WaterPolo, WaterSports, UnderwaterDiving, Sailing, Climbing, Golf, Tennis, TableTennis, Badminton, Squash, Pickleball, Racquetball, Soccer, Basketball, Baseball, Softball, Volleyball, Handball, Hockey, Rugby, Lacrosse, Cricket, AmericanFootball, AustralianFootball, Boxing, Kickboxing, MartialArts, TaiChi, Wrestling, EquestrianSports, Fishing, Hunting, Archery, Bowling, Curling, Fencing, Gymnastics, JumpRope, StepTraining, FitnessGaming, Play, PreparationAndRecovery, Barre, DiscSports",
    undecided: "HKWorkoutActivityTypeOther, CrossTraining, SwimBikeRun, Transition",
  },
  "Fitbit (account-exports 12, more-platforms 2)": {
    run: "Run, Outdoor Run, Treadmill",
    bike: "Bike, Outdoor Bike, Spinning",
    swim: "Swim",
    walk: "Walk, Outdoor Walk",
    hike: "Hike",
    elliptical: "Elliptical, Stairclimber",
    weight: "Weights, Weight Machines",
    yoga: "Yoga",
    other: "Tennis, Sport, Workout, Structured Workout",
  },
  "Samsung Health (account-exports 14)": {
    run: "running, treadmill, orienteering, TRACK_RUNNING",
    bike: "cycling, mountain biking, exercise bike",
    swim: "swimming, POOL_SWIMMING, OPEN_WATER_SWIMMING",
    walk: "walking",
    hike: "hiking, backpacking, snowshoe",
    elliptical: "elliptical, step machine",
    weight: "push-ups, sit-ups, circuit, burpees, squats, weights",
    row: "canoeing, rowing machine",
    ski: "XC ski, ski, snowboard, alpine ski",
    yoga: "stretching, pilates, yoga",
    other:
      "jump rope, inline skating, aerobics, rock climbing, kayaking, ice skating, baseball, basketball, soccer, squash, tennis, badminton",
    undecided: "riding, TRIATHLON, custom",
  },
  "Runtastic (other-loggers 5)": {
    run: "running, treadmill, trail running, plogging, track & field",
    bike: "cycling, MTB, race cycling, spinning, handbike, e-bike",
    swim: "swimming",
    walk: "nordic walking, walking, wheelchair",
    hike: "hiking, snowshoe, via ferrata",
    elliptical: "elliptical, stairs",
    weight:
      "strength, push-ups, sit-ups, pull-ups, squats, crossfit, bodyweight, tabata, callisthenics, suspension, powerlifting, olympic lifting",
    row: "rowing, rowing machine",
    ski: "XC skiing, skiing, snowboard, backcountry ski, biathlon, speed ski",
    yoga: "yoga, pilates, stretching",
    other:
      "inline, motorbike, golf, tennis, badminton, squash, aerobics, martial arts, sailing, windsurf, climbing, frisbee, volleyball, cross skating, soccer, surfing, kitesurf, kayak, basketball, paragliding, wakeboard, diving, table tennis, handball, ice skating, sledding, curling, kite ski, am. football, baseball, dancing, ice hockey, skateboard, zumba, gymnastics, rugby, SUP, sixpack, butt training, leg training, results workout, jump rope, trampoline, meditation, bouldering, padel, pole dance, boxing, cricket, field hockey, fencing, skydiving, cheerleading",
    undecided: "other, riding, ergometer, scooter",
  },
  "Endomondo (other-loggers 6)": {
    run: "RUNNING, ORIENTEERING, TREADMILL_RUNNING",
    bike: "CYCLING_SPORT, CYCLING_TRANSPORTATION, MOUNTAIN_BIKING, SPINNING",
    swim: "SWIMMING",
    walk: "WALKING, FITNESS_WALKING, TREADMILL_WALKING, STEP_COUNTER",
    hike: "HIKING",
    weight: "WEIGHT_TRAINING, CROSSFIT",
    row: "ROWING, ROWING_INDOOR",
    ski: "SKIING_CROSS_COUNTRY, SKIING_DOWNHILL, SNOWBOARDING",
    yoga: "YOGA, PILATES",
    other:
      "AEROBICS, ROLLER_SKATING, SKATING, ICE_SKATING, KAYAKING, CLIMBING, DANCING, SOCCER, TENNIS, BADMINTON, BASKETBALL, BEACH_VOLLEY, SAILING, SKATEBOARDING, KICK_SCOOTER, GYMNASTICS",
    undecided: "CROSS_TRAINING, RIDING, OTHER",
  },
  "TrainingPeaks, Golden Cheetah, FloTrack, MapMyRun, RunningAHEAD (formats 1 and 9, other-loggers 3, 4, 15)": {
    run: "Run, Indoor Run / Jog, Laufen",
    bike: "Bike, Mountain Bike, Mtn Bike, mountainbike, Bike Ride, Road Cycling",
    swim: "Swim",
    walk: "Walk, Dog Walk",
    hike: "Hike, hiking",
    weight: "Strength, Gym, weights, core, Weight, Weight Workout, Gym Workout",
    row: "Rowing, Row",
    ski: "XC Ski, XC-Ski, Ski, skiing",
    undecided: "Brick, Cross train, Crosstrain, Race, Day Off, Other, Machine Workout",
  },
  "FIT, the words of its sports (other-loggers 2c)": {
    run: "running, indoor_running",
    bike: "cycling, e_biking",
    swim: "swimming, lap_swimming, open_water",
    walk: "walking, indoor_walking, casual_walking, speed_walking",
    hike: "hiking, mountaineering, snowshoeing, rucking",
    elliptical: "elliptical, stair_climbing",
    weight: "hiit, strength_training",
    row: "rowing, indoor_rowing, canoeing",
    ski: "cross_country_skiing, alpine_skiing, snowboarding, skate_skiing",
    yoga: "yoga, pilates, mobility",
    other:
      "basketball, soccer, tennis, american_football, paddling, flying, motorcycling, boating, driving, golf, hang_gliding, horseback_riding, hunting, fishing, inline_skating, rock_climbing, sailing, ice_skating, snowmobiling, stand_up_paddleboarding, surfing, wakeboarding, water_skiing, kayaking, rafting, windsurfing, kitesurfing, tactical, jumpmaster, boxing, floor_climbing, baseball, diving, shooting, winter_sport, grinding, video_gaming, racket, wakesurfing, water_sport, archery, mixed_martial_arts, motor_sports, snorkeling, dance, jump_rope, pool_apnea, meditation, para_sport, team_sport, cricket, rugby, hockey, lacrosse, volleyball, water_tubing",
    undecided: "generic, transition, fitness_equipment, training, multisport",
  },
  "The small table of words (other-loggers 2f)": {
    run: "run, jog, trail, treadmill, track, laufen, juoksu, course à pied, CAP, correr, löpning, 🏃, 🏃‍♀️, 🏃🏽‍♂️",
    bike: "bike, cycle, ride, spin, mtb, rad, velo, pyöräily, bicicleta, 🚴‍♂️, 🚵, 🚲",
    swim: "swim, pool, schwimmen, uinti, natation",
    walk: "walk, nordic walking, gehen, kävely",
    hike: "hike, wandern, trek, vaellus",
    elliptical: "elliptical, crosstrainer, stair, stepper",
    weight: "strength, weight, weights, lift, gym, core, krafttraining",
    row: "row, erg",
    ski: "ski, xc, nordic, langlauf, hiihto",
    yoga: "yoga, stretch, pilates, mobility",
    undecided: "race, paddle",
  },
  "Peloton, Concept2, Withings, Dailymile (more-platforms 6, 15, other-loggers 12, 17)": {
    run: "Running, Tread Bootcamp",
    bike: "Cycling, Bike Bootcamp, BikeErg, Indoor cycling",
    swim: "Swimming",
    walk: "Walking",
    hike: "Hiking",
    weight: "Strength, Weights, Lift weights",
    row: "Rowing, Row Bootcamp, Indoor Rower, RowErg",
    ski: "SkiErg, Skiing",
    yoga: "Yoga, Stretching",
    other: "Cardio, Meditation, Gym class, Ping Pong",
    undecided: "Multi Sport, Other, Fitness",
  },
  "Komoot and TomTom (more-platforms 17, 18)": {
    run: "jogging, Running, Treadmill, Trailrunning",
    bike: "touringbicycle, racebike, mtb, mtb_easy, mtb_advanced, downhillbike, citybike, gravel, bikepacking, e_touringbicycle, e_racebike, e_mtb, e_mtb_easy, e_mtb_advanced, e_downhillbike, e_citybike, e_gravel, e_bikepacking, Cycling",
    swim: "Pool_swim",
    walk: "nordicwalking",
    hike: "hike, mountaineering, snowshoe, Hiking",
    weight: "Gym",
    ski: "nordic, skitour, skialpin, snowboard, Skiing, Snowboarding",
    other: "sled, skaten, climbing, unicycle",
    undecided: "Freestyle, Indoor, Stopwatch",
  },
  "FitTrackee, Endurain, OpenTracks, FitoTrack, tapiriik (other-loggers 18, 19, 2f)": {
    run: "Running, Trail, Trail run, Virtual run, Track run, street running, track running, trail running, treadmill",
    bike: "Cycling (Sport), Cycling (Transport), Cycling (Trekking), Cycling (Virtual), Mountain Biking, Mountain Biking (Electric), Commuting ride, Indoor ride, MtnBiking, biking, road biking, mountain biking",
    swim: "Open Water Swimming, Lap swim, swimming, swimming in open water",
    walk: "Walking, Indoor walk, speed walking, Wheelchair",
    hike: "Hiking, Snowshoes, trail hiking, off trail hiking",
    weight: "push-ups, pull-ups, StrengthTraining, Gym",
    row: "Canoeing, Rowing",
    ski: "Skiing (Alpine), Skiing (Cross Country), cross-country skiing, XCSkiing, DownhillSkiing, RollerSkiing",
    other: "workout, kayaking, inline_skating, skateboarding, rope_skipping, Skating, Climbing, StandUpPaddling",
    undecided: "other, Transition, Mixed",
  },
};

/** Names that are asked about, with the reason. Each hides sports that a log tells apart. */
const UNDECIDED: Readonly<Record<string, string>> = {
  "other, annan, other sport, not specified, hkworkoutactivitytypeother":
    "device files and platforms write it for every sport they have no word of, swimming and walking too",
  "other_indoor, other_outdoor, indoor, indoor training": "says where it was, and not what",
  "custom, customsport": "its owner named it elsewhere",
  "multisport, multi_sport, multi sport, triathlon, duathlon, aquathlon, swimrun, adventure racing, swimbikerun, brick, mixed":
    "holds several sports: each leg has its own",
  "transition, transition_v2, swimtobiketransition_v2, biketoruntransition_v2, runtobiketransition_v2":
    "the pause between two legs is no workout",
  "fitness_equipment, gym & fitness equipment, machine workout": "a treadmill, a bike and a stepper alike",
  "cross_training, crosstraining, cross train, crosstrain":
    "an elliptical at Endomondo, a mixture at Apple and TrainingPeaks",
  riding: "a horse at Runtastic, Samsung and Suunto, a bicycle in many a spreadsheet",
  ergometer: "a bicycle at Runtastic, a rowing machine among rowers",
  scooter: "with a motor, or without",
  "cross-country": "on foot, on skis or on a bicycle",
  freestyle: "TomTom's word for anything, and a way to swim",
  fitness: "Dailymile's word for all that is no run, ride, swim or walk",
  race: "a race, of whatever sport",
  paddle: "a board, a kayak or a rowing boat",
  "generic, training": "a device writes it where nobody chose a sport",
  "day off, stopwatch": "nothing was trained",
};

const undecided = new Set(Object.keys(UNDECIDED).flatMap((names) => names.split(", ")));

describe.each(Object.entries(NAMES))("%s", (_source, words) => {
  const rows = Object.entries(words).flatMap(([activity, text]) =>
    text.split(", ").map((name) => [name, activity] as const),
  );

  test.each(rows)("%j is %s", (name, activity) => {
    if (activity === "undecided") expect(undecided, "no reason is stated").toContain(name.toLowerCase());
    expect(activityNamed(name)).toBe(activity === "undecided" ? undefined : activity);
  });
});

test("every number of a FIT sport is an activity, but for those that hide several sports or none", () => {
  // generic, transition, fitness equipment and training without a sub sport: garmin/fit-javascript-sdk, src/profile.js.
  const asked = [0, 3, 4, 10];
  // 50 to 52, 54, 55, 57, 60 and 61 are no sports of the profile.
  const unknown = [50, 51, 52, 54, 55, 57, 60, 61];
  const without = Array.from({ length: 89 }, (_, sport) => sport).filter(
    (sport) => activityOfFit(sport, undefined) === undefined,
  );
  expect(without).toEqual([...asked, ...unknown].sort((a, b) => a - b));
});
