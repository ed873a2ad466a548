/** The names of time zones that Ride with GPS shows: of a country's zone, of a city, or the usual ones. */
import { isZone } from "../../../transforms/calendar.ts";

/** Names without a city. Source: the list of zones of Ruby on Rails, which the website is made with. */
const NAMED: Readonly<Record<string, string>> = {
  "Pacific Time (US & Canada)": "America/Los_Angeles",
  "Mountain Time (US & Canada)": "America/Denver",
  "Central Time (US & Canada)": "America/Chicago",
  "Eastern Time (US & Canada)": "America/New_York",
  "Atlantic Time (Canada)": "America/Halifax",
  Newfoundland: "America/St_Johns",
  Saskatchewan: "America/Regina",
  "Indiana (East)": "America/Indiana/Indianapolis",
  Arizona: "America/Phoenix",
  Alaska: "America/Juneau",
  Hawaii: "Pacific/Honolulu",
  "Central America": "America/Guatemala",
  Brasilia: "America/Sao_Paulo",
  Edinburgh: "Europe/London",
  Bern: "Europe/Zurich",
  "St. Petersburg": "Europe/Moscow",
  Pretoria: "Africa/Johannesburg",
  "New Delhi": "Asia/Kolkata",
  Mumbai: "Asia/Kolkata",
  Chennai: "Asia/Kolkata",
  Beijing: "Asia/Shanghai",
  Osaka: "Asia/Tokyo",
  Wellington: "Pacific/Auckland",
};

/** The zone with this name: `America/Denver` for `Mountain Time (US & Canada)`, `Europe/Vienna` for `Vienna`; undefined if there is none. */
export function zoneNamed(text: string): string | undefined {
  if (isZone(text)) return text;
  if (Object.hasOwn(NAMED, text)) return NAMED[text];
  const city = `/${text.replaceAll(" ", "_")}`;
  return Intl.supportedValuesOf("timeZone").find((zone) => zone.endsWith(city));
}
