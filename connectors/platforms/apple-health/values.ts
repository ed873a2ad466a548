/** Reads values in the form of Apple Health. */
import type { XmlRecord, XmlValue } from "../../formats/xml/each.ts";

/** Turns `HKWorkoutActivityTypeTraditionalStrengthTraining` into `Traditional Strength Training`. */
export function sportOf(text: string): string {
  return text.replace(/^HKWorkoutActivityType/, "").replace(/(?<=[a-z])(?=[A-Z])/g, " ");
}

/**
 * Turns `2016-11-14 07:25:41 -0700` into an instant. The distance from UTC is the phone's on the day of the export, in summer and in winter. So it
 * doesn't show the local time of the workout.
 */
export function instantOf(text: string): string {
  const millis = millisOf(text);
  return Number.isNaN(millis) ? text : new Date(millis).toISOString();
}

/** The same instant in milliseconds since 1970; NaN for a text of another form. */
export function millisOf(text: string): number {
  const [, day, time, hours, minutes] = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2}) ([+-]\d{2})(\d{2})$/.exec(text) ?? [];
  return Date.parse(`${day}T${time}${hours}:${minutes}`);
}

/** Turns `56 degF` into `56 F`. */
export function temperature(text: string): string {
  return text.replace(/ ?deg([CF])$/, " $1");
}

/** Turns `9600 %` into 96 %. Some versions count in hundredths. */
export function percent(text: string): string {
  const [, digits] = /^(\d{3,5}) ?%$/.exec(text) ?? [];
  return digits === undefined || Number(digits) <= 100 ? text : `${Number(digits) / 100} %`;
}

/** Reads `/workout-routes/route_2019-06-11_3.00pm.gpx`, as a path from the folder of the table. */
export function routeOf(text: string): string {
  return text.replace(/^\/+/, "");
}

/** Turns `GMT+0900` into `+09:00`. A phone writes this form if it has no name for its zone. Any other name stays unchanged. */
export function zoneOf(text: string): string {
  return text.replace(/^(?:GMT|UTC)([+-]\d{2}):?(\d{2})$/, "$1:$2");
}

/** Statistics without a field in the log. Their unit stands beside the number, because it depends on the phone's language: kJ, km/hr. */
const WITH_UNITS = [
  { member: "activeEnergy", type: "HKQuantityTypeIdentifierActiveEnergyBurned", value: "sum" },
  { member: "maxSpeed", type: "HKQuantityTypeIdentifierRunningSpeed", value: "maximum" },
  { member: "strideLength", type: "HKQuantityTypeIdentifierRunningStrideLength", value: "average" },
  { member: "verticalOscillation", type: "HKQuantityTypeIdentifierRunningVerticalOscillation", value: "average" },
  { member: "groundContactTime", type: "HKQuantityTypeIdentifierRunningGroundContactTime", value: "average" },
] as const;

/** Adds these statistics to a workout, each with its unit: `100 kJ`. A statistic of 0 wasn't measured. */
export function withUnits(workout: XmlRecord): XmlRecord {
  const statistics = [workout.WorkoutStatistics ?? []].flat().filter(isElement);
  const added = WITH_UNITS.flatMap(({ member, type, value }) => {
    const found = statistics.find((each) => each.type === type);
    const [number, unit] = [found?.[value], found?.unit];
    return typeof number !== "string" || typeof unit !== "string" || Number(number) === 0
      ? []
      : [[member, `${number} ${unit === "Cal" ? "kcal" : unit}`]];
  });
  return { ...workout, ...Object.fromEntries(added) };
}

/** The measurements that the log keeps with the workouts of their day. */
const OF_A_DAY = { weight: "HKQuantityTypeIdentifierBodyMass", rest: "HKQuantityTypeIdentifierRestingHeartRate" };

/** Whether a measurement belongs to a day. There are a few of them among millions. */
export function isOfADay({ type }: Readonly<Record<string, string>>): boolean {
  return type === OF_A_DAY.weight || type === OF_A_DAY.rest;
}

/** Names the value of a measurement: a weight by its unit, which the phone's language chooses, or a resting heart rate. */
export function dayOf(record: XmlRecord): XmlRecord {
  const { type, unit, value } = record;
  if (typeof value !== "string") return record;
  if (type === OF_A_DAY.rest) return { ...record, rest: value };
  if (unit === "kg") return { ...record, kilograms: value };
  return unit === "lb" ? { ...record, pounds: value } : record;
}

function isElement(value: XmlValue): value is XmlRecord {
  return typeof value === "object" && !Array.isArray(value);
}
