/** Looks into XML records. A record doesn't show whether an element can be there several times. */
import type { XmlRecord, XmlValue } from "./each.ts";
import { parseDecimal } from "./values.ts";

/** The members of an element. A text, a list and a missing element have no members. */
export function membersOf(value: XmlValue | undefined): XmlRecord {
  return typeof value === "object" && !Array.isArray(value) ? (value as XmlRecord) : {};
}

/** The elements of one name in an element: none, one or several. */
export function elementsOf(parent: XmlValue | undefined, name: string): readonly XmlRecord[] {
  const found = membersOf(parent)[name];
  return (Array.isArray(found) ? found : found === undefined ? [] : [found]).map(membersOf);
}

/** A text as a number; undefined for other text and for elements. @param read turns the text into the form of a number first */
export function numberOf(value: XmlValue | undefined, read = (text: string) => text): number | undefined {
  return typeof value === "string" ? parseDecimal(read(value.trim())) : undefined;
}
