/** How Apple Health writes its values. */
import type { XmlRecord, XmlValue } from "../../formats/xml/each.ts";

/** `HKWorkoutActivityTypeTraditionalStrengthTraining` is `Traditional Strength Training`. */
export function sportOf(text: string): string {
  return text.replace(/^HKWorkoutActivityType/, "").replace(/(?<=[a-z])(?=[A-Z])/g, " ");
}

/**
 * `2016-11-14 07:25:41 -0700` as an instant. The distance from UTC is that of the phone on the day of the export, in summer and in winter: it
 * doesn't tell what the clock showed.
 */
export function instantOf(text: string): string {
  const [, day, time, hours, minutes] = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2}) ([+-]\d{2})(\d{2})$/.exec(text) ?? [];
  const millis = Date.parse(`${day}T${time}${hours}:${minutes}`);
  return Number.isNaN(millis) ? text : new Date(millis).toISOString();
}

/** `56 degF` is `56 F`. */
export function temperature(text: string): string {
  return text.replace(/ ?deg([CF])$/, " $1");
}

/** `9600 %` is 96 %: some versions count in hundredths. */
export function percent(text: string): string {
  const [, digits] = /^(\d{3,5}) ?%$/.exec(text) ?? [];
  return digits === undefined || Number(digits) <= 100 ? text : `${Number(digits) / 100} %`;
}

/** `/workout-routes/route_2019-06-11_3.00pm.gpx`, as seen from the folder of the table. */
export function routeOf(text: string): string {
  return text.replace(/^\/+/, "");
}

/** `GMT+0900`, of a phone that knows no name for its zone, is `+09:00`. Any other name stays unchanged. */
export function zoneOf(text: string): string {
  return text.replace(/^(?:GMT|UTC)([+-]\d{2}):?(\d{2})$/, "$1:$2");
}

/** Statistics that the log has no field for, and whose unit stands beside the number: a phone counts in kJ or km/hr as its language does. */
const WITH_UNITS = [
  { member: "activeEnergy", type: "HKQuantityTypeIdentifierActiveEnergyBurned", value: "sum" },
  { member: "maxSpeed", type: "HKQuantityTypeIdentifierRunningSpeed", value: "maximum" },
] as const;

/** Adds `activeEnergy` and `maxSpeed` to a workout, each with its unit: `100 kJ`. A statistic of 0 wasn't measured. */
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

function isElement(value: XmlValue): value is XmlRecord {
  return typeof value === "object" && !Array.isArray(value);
}
