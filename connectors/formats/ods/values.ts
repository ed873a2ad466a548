/** The values of an OpenDocument spreadsheet's cells. */
import { attribute } from "../sheets/read-part.ts";
import type { Cell } from "../sheets/sheet.ts";
import { unitBehind, withUnit } from "../sheets/shown-text.ts";
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
      return withShown(numberCell(attribute(attributes, "value") ?? ""), text);
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

/** A number, and what stands behind it: `7.52 mi`, `1.234,5 m`. */
const WITH_UNIT = /^([\d., {2}'’]{1,30}?)\s?(\p{L}[^\d]{0,20}|°[CF])$/u;

/** `45:30`. */
const WITH_COLONS = /^\d{1,4}(?::\d{2}){1,2}$/;

/** A number with the unit or the colons that its cell shows, if it shows the number itself: a format may show 12500 as `12.5 km`. */
function withShown(cell: Cell | undefined, text: string): Cell | undefined {
  if (cell === undefined || text === "") return cell;
  const value = Number(cell.text);
  if (WITH_COLONS.test(text)) return Number(text.replaceAll(":", "")) === value ? { ...cell, shown: text } : cell;
  const [, digits = "", behind = ""] = WITH_UNIT.exec(text) ?? [];
  const unit = behind === "" ? undefined : unitBehind(behind);
  return unit !== undefined && shows(digits, value) ? withUnit(cell, value, unit) : cell;
}

/** Whether digits are a number, rounded or not, with either decimal mark. */
function shows(digits: string, value: number): boolean {
  return [/[^\d.]/g, /[^\d,]/g].some((other) => {
    const plain = digits.replaceAll(other, "").replace(",", ".");
    const decimals = plain.split(".")[1]?.length ?? 0;
    return Math.abs(Number(plain) - value) <= 0.5 * 10 ** -decimals * (1 + 1e-9);
  });
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
