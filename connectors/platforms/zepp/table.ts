/** Zepp and Zepp Life, formerly Mi Fit: the workouts in SPORT of an account's export. README.md lists the parts that are read or left out. */

import { utcOf } from "../table/cells/instants.ts";
import { platform } from "../table/platform.ts";
import { csvEach } from "../table/sources/csv-source.ts";
import { leftByName } from "../table/sources/left-by-name.ts";

/** Without the distance: its column may be in another unit. */
const KNOWN_BY = ["type", "startTime", "sportTime(s)", "maxPace(/meter)"];
const called = csvEach(/(^|\/)SPORT[^/]*\.csv$/i, KNOWN_BY);
const other = csvEach(/\.csv$/i, KNOWN_BY);

/** The numbers of sports that several sources name. Source: more-platforms 4. */
const SPORTS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ 1: "Run", 6: "Walk", 8: "Treadmill", 9: "Outdoor bike", 10: "Indoor bike", 12: "Elliptical", 14: "Pool swim" },
    ...{ 22: "Hike", 23: "Rowing machine", 85: "Basketball", 92: "Badminton", 192: "Run" },
  }),
);

/** A number without a known name stays a number, in words that no table has. */
const sportOf = (text: string) => SPORTS.get(text) ?? `type ${text}`;
/** The app writes -1 or 0 for a missing value. */
const measured = (text: string) => (Number(text) > 0 ? text : undefined);

export const zepp = platform({
  name: "zepp",
  title: "Zepp or Zepp Life export",
  howToGet:
    "Zepp > Profile > Settings > account > Exercise user rights > Export data; unpack the zip with the password shown there.",
  workouts: [
    {
      from: {
        ...called,
        find: async (archive, columns) => (await called.find(archive, columns)) ?? other.find(archive, columns),
      },
      dates: { order: "iso", zone: "utc" },
      decimal: "float",
      // biome-ignore format: a table is read by its columns
      columns: [
        // A person can't begin two workouts at once. So the start is the id, and a row in two overlapping exports is one workout.
        ["startTime", "id", { read: utcOf }],
        ["startTime", "datetime", { read: utcOf, expected: "a time like 2022-08-05 02:18:07+0000" }],
        ["type", "activity", { read: sportOf }],
        ["sportTime(s)", "duration", { format: ["seconds"], zero: "none" }],
        ["distance(m)", "distance", { unit: "m", read: measured }],
        ["calories(kcal)", "unsupported", { label: "calories", unit: "kcal", read: measured }],
        ["minPace(/meter)", "unsupported", { label: "best pace", unit: "s a metre", read: measured }],
        ...leftByName(["maxPace(/meter)"], "", { read: (text) => (Number(text) < 0 ? undefined : text) }),
        ["avgPace(/meter)", "ignore", { why: "follows from distance and time" }],
      ],
    },
  ],
  // The folder of an export has the number of the user.
  ownerFiles: [{ files: /(^|\/)(?<id>\d{1,20})_\d{13}\/SPORT\/[^/]*\.csv$/i }],
  leaves: {
    "ACTIVITY*": "steps of days",
    "SLEEP*": "sleep",
    "HEARTRATE*": "heart rates without a workout, in a local time that nothing names",
    "BODY*": "weights at times of UTC: nothing says their days",
    "USER*": "the account",
  },
});
