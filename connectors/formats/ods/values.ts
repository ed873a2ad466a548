/** The values of an OpenDocument spreadsheet's cells. */
import { attribute } from "../sheets/read-part.ts";
import type { Cell } from "../sheets/sheet.ts";
import { clockText, numberText, withoutZeros } from "../sheets/values.ts";
import type { XmlAttributes } from "../xml/reader.ts";

const DAY_MS = 86_400_000;

/**
 * The value of a cell. It has a type, and an attribute with the value beside the text that is shown.
 *
 * @param text what the cell shows
 * @returns undefined if the value doesn't fit its type
 */
export function cellOfValue(type: string, attributes: XmlAttributes, text: string): Cell | undefined {
  switch (type) {
    case "float":
    case "percentage":
    case "currency":
      return numberCell(attribute(attributes, "value") ?? "");
    case "date":
      return dateCell(attribute(attributes, "date-value") ?? "", text);
    case "time":
      return timeCell(attribute(attributes, "time-value") ?? "");
    case "boolean": {
      const value = attribute(attributes, "boolean-value");
      return value === "true" || value === "false" ? { kind: "boolean", text: value.toUpperCase() } : undefined;
    }
    default:
      return { kind: "text", text: text === "" ? (attribute(attributes, "string-value") ?? "") : text };
  }
}

function numberCell(value: string): Cell | undefined {
  const number = /^[-+]?\d{1,400}(?:\.\d{1,400})?(?:e[-+]?\d{1,3})?$/i.test(value) ? Number(value) : Number.NaN;
  return Number.isFinite(number) ? { kind: "number", text: numberText(number) } : undefined;
}

/** `2024-03-01` or `2024-03-01T18:05:00`. @param shown as the cell shows it */
function dateCell(value: string, shown: string): Cell | undefined {
  const [, date, clock, fraction = ""] =
    /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}:\d{2})(\.\d{1,9})?Z?)?$/.exec(value) ?? [];
  if (date === undefined) return undefined;
  const year = { ...(shown !== "" && !shown.includes(date.slice(2, 4)) && { hidesYear: true as const }) };
  if (clock === undefined) return { kind: "date", text: date, ...year };
  return { kind: "date-time", text: `${date} ${clock}${withoutZeros(fraction.slice(0, 4))}`, ...year };
}

/** `PT01H05M30.5S`. A day has 24 hours. */
function timeCell(value: string): Cell | undefined {
  const [all, days = "0", hours = "0", minutes = "0", seconds = "0"] =
    /^P(?:(\d{1,6})D)?T?(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,6}(?:[.,]\d{1,12})?)S)?$/.exec(value) ?? [];
  if (all === undefined || all.length < 3) return undefined;
  const clock = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds.replace(",", "."));
  const millis = Math.round((Number(days) * 86_400 + clock) * 1000);
  return { kind: millis < DAY_MS ? "time" : "duration", text: clockText(millis) };
}
