/**
 * Finds the owner of an export in its tables. Their values only distinguish one athlete from another, and never go into a log. The tables
 * are read by place, since their headers are in the athlete's language. A cell in an unexpected form is ignored.
 */
import type { PersonEvidence, Sex } from "../../../../transforms/model/owner-evidence.ts";
import type { ReadSession } from "../../session.ts";
import { type FindBeside, readListRows } from "./beside.ts";

/** A table with a row about the owner: the meaning of its first columns; undefined for a column that is not about the owner. */
export interface OwnerTable {
  readonly file: string;
  readonly cells: readonly (keyof PersonEvidence | undefined)[];
}

/** Reports the owner evidence in the tables. A table that is missing or empty is ignored. */
export async function readOwner(
  session: ReadSession,
  tables: readonly OwnerTable[],
  beside: FindBeside,
  prefix: string,
): Promise<void> {
  const { reportOwner } = session.context;
  if (reportOwner === undefined) return;
  for (const { file, cells } of tables) {
    const entry = beside(file);
    for await (const { fields } of readListRows(session, entry)) {
      const said = cells.flatMap((cell, index) =>
        cell === undefined ? [] : [[cell, READERS[cell]((fields[index] ?? "").trim(), prefix)] as const],
      );
      const person: PersonEvidence = Object.fromEntries(said.filter(([, value]) => value !== undefined));
      if (entry !== undefined && Object.keys(person).length > 0) reportOwner({ entry: entry.path, person });
      break;
    }
  }
}

const SEXES: ReadonlyMap<string, Sex> = new Map([
  ["F", "female"],
  ["FEMALE", "female"],
  ["M", "male"],
  ["MALE", "male"],
]);

/** Reads one detail of a person; undefined for text in an unexpected form. */
export const READERS: { readonly [K in keyof PersonEvidence]-?: (text: string, prefix: string) => PersonEvidence[K] } =
  {
    id: (text, prefix) => (/^\d{1,20}$/.test(text) ? `${prefix} ${text}` : undefined),
    email: (text) => (/^\S+@\S+$/.test(text) ? text : undefined),
    givenName: filled,
    familyName: filled,
    sex: (text) => SEXES.get(text.toUpperCase()),
    born(text) {
      const year = /(?<!\d)((?:19|20)\d{2})(?!\d)/.exec(text)?.[1];
      return year === undefined ? undefined : Number(year);
    },
    weight: weightOf,
    maxHR(text) {
      const beats = /^\d{2,3}$/.test(text) ? Number(text) : 0;
      return beats > 0 ? beats : undefined;
    },
  };

function filled(text: string): string | undefined {
  return text === "" ? undefined : text;
}

/** Reads `70.2` and `70.2 kg`. Without a unit, the number is kilograms. Pounds always have their unit. */
function weightOf(text: string): PersonEvidence["weight"] {
  const [, number = "", unit = "kg"] = /^(\d{1,3}(?:[.,]\d{1,3})?)(?: ?(kg|lbs?))?$/.exec(text) ?? [];
  const value = Number(number.replace(",", "."));
  return value > 0 ? { unit: unit === "kg" ? "kg" : "lb", value } : undefined;
}
