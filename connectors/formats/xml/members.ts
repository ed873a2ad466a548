/** What an XML record holds, for readers that look into it: a record doesn't show whether an element can be there several times. */
import type { XmlRecord, XmlValue } from "./each.ts";
import { parseDecimal } from "./values.ts";

/** The members of an element; none of a text, of a list and of a missing element. */
export function membersOf(value: XmlValue | undefined): XmlRecord {
  return typeof value === "object" && !Array.isArray(value) ? (value as XmlRecord) : {};
}

/** The elements of one name in an element, whether there are none, one or several. */
export function elementsOf(parent: XmlValue | undefined, name: string): readonly XmlRecord[] {
  const found = membersOf(parent)[name];
  return (Array.isArray(found) ? found : found === undefined ? [] : [found]).map(membersOf);
}

/** A text as a number; undefined for other text and for elements. @param read puts the text into the form of a number first */
export function numberOf(value: XmlValue | undefined, read = (text: string) => text): number | undefined {
  return typeof value === "string" ? parseDecimal(read(value.trim())) : undefined;
}
