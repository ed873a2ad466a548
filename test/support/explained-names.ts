/**
 * Names in the files that a platform reads, which its folder doesn't spell out. Each is made by a rule there, or lies in a part that is left or read
 * whole.
 */
export const EXPLAINED_NAMES: Readonly<Record<string, readonly (readonly [names: RegExp, why: string])[]>> = {
  "adidas-running": [
    [
      /^(?:trace_available|encoded_trace|start_latitude|start_longitude|started_at)$/,
      "of the map, which the track replaces",
    ],
  ],
  "apple-health": [
    [
      /^(?:ExportDate|HKCharacteristic\w+|ActivitySummary|dateComponents|appleExerciseTime)$/,
      "of the person or of days",
    ],
    [/^uuid$/, "of a record that is no workout"],
  ],
  attackpoint: [[/^i[0-5]$/, "the times at the six intensities, which a rule makes"]],
  endurain: [[/^hide_/, "made by a rule from the list of hidden parts"]],
  fitbit: [[/^totalMinutes$/, "inside activeZoneMinutes, which is left"]],
  fitotrack: [
    [/^(?:relativeTime|pressure|intervalTriggered)$/, "of a sample"],
    [/^(?:workoutTypes|indoorSamples)$/, "lists beside the workouts"],
  ],
  fittrackee: [[/^segment_id$/, "inside segments, which are left"]],
  garmin: [
    [/^splitType$/, "inside splits"],
    [/^mood$/, "inside a member that is reported"],
    [/^gear(?:ActivityTypeDTOs|Collections)$/, "lists beside the gear and its uses"],
    [/^Aktivitäten von /, "the title above a list"],
  ],
  "golden-cheetah": [
    [/^STOP$/, "inside INTERVALS, whose laps are read by their starts"],
    [/^(?:VERSION|gender)$/, "of the library and the athlete"],
  ],
  "health-auto-export": [
    [/^latitude$/, "inside route"],
    [/ \([^)]+\)$/, "a column with its unit, which is split off"],
  ],
  huawei: [[/^recordDay$/, "beside the workouts of a day"]],
  jefit: [[/^### /, "the title of a table"]],
  komoot: [[/^(?:lng|alt|coordinates|items)$/, "inside _embedded and start_point, which are left"]],
  nike: [[/^appId$/, "of a series"]],
  polar: [
    [/^modelName$/, "inside product"],
    [/^(?:splitTimeMillis|splitTime|lapNumber)$/, "of a lap, beside its own time"],
    [/^(?:lowerLimit|higherLimit|inZone|cardioLoad)$/, "inside zones and loadInformation, which are left"],
  ],
  "polar-before-flow": [
    [
      /^(?:count|resting|in-zone|fitness-data)$/,
      "of the whole export, and inside zones and the settings of the person",
    ],
    [/^(?:limiter_type|zoneno|low_percent|lap_no)$/, "inside limits and laps"],
  ],
  runalyze: [
    [/^(?:username|abbr|max_km)$/, "of the account, of a kind of training and of a kind of gear"],
    [/^sleep_duration$/, "of a day"],
  ],
  runningahead: [[/^(?:Sunny|Windy)$/, "words of the weather, which are attributes"]],
  strava: [[/translation.missing/, "a heading that Strava did not translate, read by its last word"]],
  strong: [[/./, "columns in another language, and tables without a header, are read by their places"]],
  suunto: [
    [/^(?:SerialNumber|Info|HW)$/, "inside Device"],
    [/^State$/, "of a pause"],
  ],
  trainingpeaks: [
    [/^(?:HR|PWR)Zone\d+Minutes$/, "made by a rule for each zone"],
    [/^(?:creator|make)$/, "of the program and the device"],
  ],
  wahoo: [[/^(?:demo|\d\S*)$/, "values of the first line, which has no header"]],
  whoop: [
    [/^HR Zone \d %$/, "made by a rule for each zone"],
    [/^(?:Inicio|Fin|Zona|Minutos|FC|Distancia|Subida|Cambio)/, "columns in another language are read by their places"],
  ],
};
