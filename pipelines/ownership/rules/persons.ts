/** Finds an archive that names another person as its owner. */
import { defined } from "../../../transforms/model/defined.ts";
import type { PersonEvidence, Sex } from "../../../transforms/model/owner-evidence.ts";
import { printable } from "../../../transforms/text/printable.ts";
import { foldName, likenessOf } from "../../log/names.ts";
import { quoted } from "../../log/owner.ts";
import type { Block } from "../block.ts";
import { personFingerprints } from "../memory.ts";
import { type ArchiveRule, isMail, named, namesOf, THRESHOLDS } from "./rule.ts";

/** The archive gives another person's address, name, sex or age. */
export const otherPerson: ArchiveRule = ({ suspect, before }, archive, others) => {
  const { athlete, owner = {}, expects } = suspect;
  const called = namesOf(suspect);
  return archive.persons.flatMap(({ details, entry, files }): Block[] => {
    const block = (against: string, other?: string): Block => ({
      ...{ athlete, rule: "other-person", key: `other-person ${foldName(against)}` },
      says: `${named(archive.name)} (${printable(entry, 80)}) is of ${personWords(details)}: ${against}`,
      ...defined({ with: other }),
    });
    if (isMail(details.email, [owner.email, expects.email])) return [];
    const marks = personFingerprints(details);
    if (marks.some((mark) => before?.persons.includes(mark) === true)) return [];
    const likeness = likenessOf(details, called);
    // The log of another athlete has this address, or an archive of another athlete names this person. The archive proves nothing if the
    // name is also this athlete's.
    const meant = Iterator.from(others.withPerson(likeness === "same" ? [] : marks, details.email));
    const somebody = meant.find(
      ({ trace, suspect: each }) =>
        isMail(details.email, [each?.owner?.email, each?.expects.email]) ||
        (likeness !== "same" && marks.some((mark) => trace.persons.includes(mark))),
    );
    if (somebody !== undefined) return [block(`that is ${quoted(somebody.athlete)}`, somebody.athlete)];
    // A watch repeats a name that was typed once, and may be borrowed for a day. So enough files must give the name.
    const isWearer = details.id === undefined && details.email === undefined && details.familyName === undefined;
    if (isWearer && files < THRESHOLDS.wearerFiles) return [];
    if (likeness === "other") return [block(`the athlete is called ${called.map(quoted).join(", ")}`)];
    const sex = sexOf(owner.gender);
    if (details.sex !== undefined && sex !== undefined && details.sex !== sex) return [block(`the log says ${sex}`)];
    const born = Number(owner.birthDate?.slice(0, 4));
    if (details.born !== undefined && Math.abs(details.born - born) >= THRESHOLDS.birthYears)
      return [block(`the log says born in ${born}`)];
    return [];
  });
};

/** The sex, from the words that logs use. */
function sexOf(gender: string | undefined): Sex | undefined {
  if (/^(f|female|woman|w)$/i.test(gender ?? "")) return "female";
  return /^(m|male|man)$/i.test(gender ?? "") ? "male" : undefined;
}

function personWords({ givenName, familyName, email, id, sex, born }: PersonEvidence): string {
  const name = [givenName, familyName].filter((part) => part !== undefined).join(" ");
  const words = [
    name === "" ? undefined : quoted(name),
    email === undefined ? undefined : `<${printable(email, 80)}>`,
    name === "" && email === undefined && id !== undefined ? printable(id, 40) : undefined,
    sex === undefined ? undefined : `(${sex})`,
    born === undefined ? undefined : `born in ${born}`,
  ];
  return words.filter((word) => word !== undefined).join(" ");
}
