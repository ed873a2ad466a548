/** Numbers with a decimal comma. XML has none, and some programs write numbers in the form of their owner's country. */
import type { XmlRecord, XmlValue } from "../../formats/xml/each.ts";

const COMMA = /^[-+]?\d{1,15},\d{1,20}$/;

/** A number whose comma may stand between thousands. */
const MAYBE_THOUSANDS = /^[-+]?[1-9]\d{0,2},\d{3}$/;

/** Members that are texts, whatever stands in them. */
const TEXTS: ReadonlySet<string> = new Set([
  ...["Name", "Notes", "name", "notes", "location", "categoryName", "brand", "model", "type", "purchaseLocation"],
  ...["conditionsText", "text()", "InjuredText", "SickText", "MissedWorkoutText"],
]);

/** Members of a point that are never in the thousands. */
const SMALL: ReadonlySet<string> = new Set(["lat", "lon", "hr", "cadence"]);

/**
 * Writes the decimal commas of an element as points, also in the elements inside. `4,000` may be thousands, so it stays unless another number of the
 * element has a decimal comma for certain.
 */
export function withPoints<R extends XmlRecord>(element: R): R {
  const found = { some: false, certain: false };
  look(element, found);
  return found.some ? (pointed(element, found.certain) as R) : element;
}

function look(element: XmlRecord, found: { some: boolean; certain: boolean }): void {
  for (const [member, value] of Object.entries(element)) {
    if (typeof value !== "string") {
      for (const each of [value].flat()) if (typeof each === "object") look(each as XmlRecord, found);
    } else if (value.includes(",") && !TEXTS.has(member) && COMMA.test(value)) {
      found.some = true;
      if (SMALL.has(member) || !MAYBE_THOUSANDS.test(value)) found.certain = true;
    }
  }
}

function pointed(value: XmlValue, isCertain: boolean): XmlValue {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map((each) => pointed(each, isCertain));
  const members = Object.entries(value as XmlRecord).map(([member, inner]) => {
    if (typeof inner !== "string") return [member, pointed(inner, isCertain)] as const;
    const isNumber = !TEXTS.has(member) && COMMA.test(inner) && (isCertain || !MAYBE_THOUSANDS.test(inner));
    return [member, isNumber ? inner.replace(",", ".") : inner] as const;
  });
  return Object.fromEntries(members);
}
