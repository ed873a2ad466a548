/**
 * Whose export it is: profile.csv and general_preferences.csv. Nothing of them goes into a log; they tell one athlete from another.
 */
import type { PersonEvidence, Sex } from "../../../transforms/model/owner-evidence.ts";
import type { ReadSession } from "../session.ts";
import { type FindBeside, readListRows } from "./lists.ts";

/** Tells whoever listens what the two tables say; one that isn't there, or says nothing, is passed over. */
export async function readProfile(session: ReadSession, beside: FindBeside): Promise<void> {
  const { reportOwner } = session.context;
  if (reportOwner === undefined) return;
  for (const { entry: name, read } of TABLES) {
    const entry = beside(name);
    for await (const { fields } of readListRows(session, entry)) {
      const person = read(fields.map((field) => field.trim()));
      if (entry !== undefined && Object.keys(person).length > 0) reportOwner({ entry: entry.path, person });
      break;
    }
  }
}

/**
 * Read by place, since the headers are in the athlete's language; a cell that doesn't look like what belongs there is left.
 * Source: exports of 2018 to 2026, in which both tables begin with these columns.
 */
const TABLES: readonly {
  readonly entry: string;
  readonly read: (cells: readonly string[]) => PersonEvidence;
}[] = [
  {
    entry: "profile.csv",
    read([id = "", email = "", givenName = "", familyName = "", sex = "", , weight = ""]) {
      const known = SEXES.get(sex.toUpperCase());
      return {
        ...(/^\d{1,20}$/.test(id) && { id: `strava ${id}` }),
        ...(/^\S+@\S+$/.test(email) && { email }),
        ...(givenName !== "" && { givenName }),
        ...(familyName !== "" && { familyName }),
        ...(known !== undefined && { sex: known }),
        ...weightOf(weight),
      };
    },
  },
  {
    entry: "general_preferences.csv",
    read([birthday = "", weight = "", , maximum = ""]) {
      const year = /(?<!\d)((?:19|20)\d{2})(?!\d)/.exec(birthday)?.[1];
      const beats = /^\d{2,3}$/.test(maximum) ? Number(maximum) : 0;
      return {
        ...(year !== undefined && { born: Number(year) }),
        ...weightOf(weight),
        ...(beats > 0 && { maxHR: beats }),
      };
    },
  },
];

const SEXES: ReadonlyMap<string, Sex> = new Map([
  ["F", "female"],
  ["M", "male"],
]);

/** `70.2` and `70.2 kg`: the platform keeps kilograms, whatever it shows; pounds are said where they are meant. */
function weightOf(text: string): Pick<PersonEvidence, "weight"> {
  const [, number = "", unit = "kg"] = /^(\d{1,3}(?:[.,]\d{1,3})?)(?: ?(kg|lbs?))?$/.exec(text) ?? [];
  const value = Number(number.replace(",", "."));
  return value > 0 ? { weight: { unit: unit === "kg" ? "kg" : "lb", value } } : {};
}
