/** Suggests the time zones that a person probably meant by an unknown name. */
import { didYouMean } from "../../transforms/text/suggestions.ts";

/** The most zones in a suggestion. */
const MOST = 3;

/**
 * `; did you mean "Europe/Lisbon"?` for a city, or a zone with a misspelling; else an empty text.
 *
 * @param text `Lisbon`, `New York`, `europe lisbon`, `Europe/Lisbn`
 */
export function suggestZone(text: string): string {
  const zones = Intl.supportedValuesOf("timeZone");
  const wanted = folded(text);
  const cities = zones.filter((zone) => folded(zone).split("/").at(-1) === wanted || folded(zone) === wanted);
  if (cities.length > 0)
    return `; did you mean ${cities
      .slice(0, MOST)
      .map((zone) => JSON.stringify(zone))
      .join(" or ")}?`;
  const byFolded = new Map(zones.map((zone) => [folded(zone), zone]));
  for (const zone of zones) byFolded.set(folded(zone).split("/").at(-1) ?? "", zone);
  return didYouMean(wanted, [...byFolded.keys()], (near) => byFolded.get(near) ?? near);
}

/** The zone as people type it: without capitals, and with underscores for blanks. */
function folded(zone: string): string {
  return zone
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, "_");
}
