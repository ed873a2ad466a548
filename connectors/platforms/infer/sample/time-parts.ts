/** Finds durations in several columns that say so behind one word: `Time h, Time min, Time s`, or `Time (h), Time (m), Time (s)`. */
import { foldHeader, type HeaderMeaning, type Role, readHeaderWords } from "../words/header-words.ts";

/** The parts of a duration, from the largest to the smallest, with the units of their headers. */
const PARTS: readonly (readonly [role: Role, units: ReadonlySet<string>])[] = (
  [
    ["hours", "h hh hr hrs hour hours std stunden heures horas ore uren timer timmar godz"],
    ["minutes", "m mm min mins minute minutes minuten minuti minutos"],
    ["seconds", "s ss sec secs second seconds sek sekunden secondes segundos secondi seg"],
  ] as const
).map(([role, units]) => [role, new Set(units.split(" "))]);

/** A header in two parts: the word for the duration, and which part of it the unit says. */
function partIn(header: string): { readonly base: string; readonly at: number } | undefined {
  const words = foldHeader(header)
    .split(/[\s(),/[\]-]+/)
    .filter((word) => word !== "");
  const [base, unit = ""] = [words.slice(0, -1).join(" "), words.at(-1)];
  const at = PARTS.findIndex(([, units]) => units.has(unit));
  return at === -1 || base === "" || !readHeaderWords(base).roles.includes("duration") ? undefined : { base, at };
}

/** Gives such columns the part that each of them holds. They stand beside each other, the larger part first. */
export function withTimeParts<T extends { readonly name: string; readonly meaning: HeaderMeaning }>(
  columns: readonly T[],
): readonly T[] {
  const parts = columns.map(({ name }) => partIn(name));
  return columns.map((column, index) => {
    const own = parts[index];
    const isBeside = (step: number) => {
      const other = parts[index + step];
      return other !== undefined && own !== undefined && other.base === own.base && other.at === own.at + step;
    };
    const role = own === undefined ? undefined : PARTS[own.at]?.[0];
    if (role === undefined || (!isBeside(-1) && !isBeside(1))) return column;
    return { ...column, meaning: { ...column.meaning, roles: [role], unit: undefined } };
  });
}
