/** Garmin Connect: the export of the whole account, or the website's list of activities. README.md lists the parts that are read or left out. */

import { platform } from "../table/platform.ts";
import { json } from "../table/sources/json-source.ts";
import { activities } from "./activities.ts";
import { backupList } from "./backup-list.ts";
import { courses } from "./courses.ts";
import { oldList } from "./old-list.ts";
import { webList } from "./web-list.ts";

const GEAR_FILES = /(^|[/_])gear\.json$/i;

/** The name of a maker or a model, unless Garmin's list lacked it. */
const named = (text: string) => (/^(other|unknown)\b/i.test(text) ? undefined : text);

/** Turns `2025-07-25T00:00:00.0` into a day. */
const day = (text: string) => text.slice(0, 10);

export const garmin = platform({
  name: "garmin",
  title: "Garmin Connect export",
  howToGet:
    "garmin.com/account/datamanagement > Export Your Data; the zip comes by mail. Or connect.garmin.com > Activities > Export CSV. That list names no units, so say yours: --distance-unit km, or mi.",
  workouts: [activities, webList, oldList, backupList],
  gear: {
    from: json({
      files: GEAR_FILES,
      knownBy: ["gearPk", "gearStatusName"],
      lists: [
        ["*", "gearDTOS", "*"],
        ["gearDTOS", "*"],
      ],
    }),
    // biome-ignore format: a table is read by its columns
    columns: [
      ["gearPk", "id"],
      ["gearTypeName", "kind"],
      ["gearStatusName", "status"],
      ["gearMakeName", "brandName", { read: named }],
      [["gearModelName", "customMakeModel", "displayName"], "modelName", { read: named }],
      ["dateBegin", "purchaseDate", { read: day }],
      ["displayName", "notes", { label: "called" }],
      ["maximumMeters", "notes", { label: "wear limit", unit: "km", per: 1000, zero: "none" }],
      ["dateEnd", "notes", { label: "used until", read: day }],
      [["uuid", "userProfilePk", "createDate", "updateDate", "notified", "imageNameLarge", "imageNameMedium", "imageNameSmall"], "ignore", { why: "a mark of the platform's own" }],
    ],
    kinds: { Shoes: "run", Bike: "bike" },
    retired: "retired",
    uses: {
      from: json({
        files: GEAR_FILES,
        knownBy: ["gearPk"],
        lists: [
          ["*", "gearActivityDTOs", "{*}", "*"],
          ["gearActivityDTOs", "{*}", "*"],
        ],
      }),
      gear: "gearPk",
      workout: "activityId",
    },
  },
  // Each day has two resting heart rates. The one of the current day has outliers. The app shows the other one.
  days: [
    {
      from: json({ files: /_userBioMetrics\.json$/i, knownBy: ["metaData"], lists: [["*"]] }),
      columns: [
        ["metaData/calendarDate", "day", { read: day }],
        ["weight/weight", "weight", { unit: "kg", per: 1000, zero: "none" }],
      ],
    },
    {
      from: json({ files: /(^|\/)UDSFile_[^/]*\.json$/i, knownBy: ["calendarDate"], lists: [["*"]] }),
      columns: [
        ["calendarDate", "day"],
        [["restingHeartRate", "currentDayRestingHeartRate"], "restHR", { zero: "none" }],
      ],
    },
  ],
  courseRecords: courses,
  numbered: [
    // Pages of a thousand: `_0_`, `_1001_`, `_2001_`.
    {
      files: /(^|[/_])(?<number>\d{1,9})_summarizedActivities[^/]{0,40}\.json$/i,
      numberAt: (place) => (place === 0 ? 0 : place * 1000 + 1),
    },
    {
      files: /(^|\/)UploadedFiles_0-_Part(?<number>\d{1,4})[^/]{0,40}?\.zip(?=!\/|$)/i,
      numberAt: (place) => place + 1,
    },
  ],
  recordings: /\.(fit|gpx|tcx)(\.gz)?$/i,
  filesByStart: true,
  ownerFiles: [
    { files: /(^|\/)DI-Connect-User\/user_profile\.json$/ },
    // Many exports have the address in the names of their files.
    { files: /(^|\/)(?<email>[^/\s@]{1,64}@[^/\s@_]{1,255})_\d{1,9}_summarizedActivities\.json$/ },
    { files: /summarizedActivities\.json$/, head: /"userProfileId"\s{0,4}:\s{0,4}(?<id>\d{1,20})/ },
  ],
  leaves: {
    "*_personalRecord.json": "records follow from the activities",
    "*_workout.json": "planned workouts: nobody has done them",
    "*_trainingPlan.json": "plans",
    "*_AdaptiveCoachingSchedule_*/": "plans",
    "*_PrimaryTrainingBackup_*/": "scores of the platform's own, as the watch had them",
    "*_weekly_training_report.json": "sums of the activities",
    "*_powerguidances_*": "plans of pace and power for a course",
    "*pacebands*": "plans of pace and power for a course",
    "DI-Connect-Aggregator/": "steps and sums of days, but for the resting heart rate",
    "DI-Connect-Wellness/": "sleep and health without a workout, but for the weight",
    "DI-Connect-Metrics/": "scores of the platform's own",
    "DI-Connect-User/": "the account",
    "DI-Connect-Device/": "the account's devices",
    "DI-Connect-Social/": "other people",
    "DI-GOLF/": "golf rounds: the activities have their own rows",
    "DI_TACX/": "settings of trainers",
    "DI_LIVETRACK/": "links of live tracks",
    "DI_MEDIA_GDPR_SERVICE/": "the log has no place for pictures",
    "DI_CONNECT_IQ/": "apps of the watch",
    "IT_DEVICE_AND_CONTENT/": "the account's devices",
    "IT_CONSENT_HISTORY/": "consents",
    "IT_GLOBAL_EVENT/": "events of the account",
    "customer_data/": "the account",
  },
});
