/** Finds a column that says whose workout a row is. Rows of several people don't belong into one log, so a person is asked. */
import { activityNamed } from "../../../../transforms/activities.ts";
import type { Answers, Choice } from "../choices/choice.ts";
import type { AssignedColumn } from "../columns/roles.ts";
import type { SkipRule } from "../rows/skipped-rows.ts";
import { countTexts } from "../sample/column.ts";
import { foldHeader } from "../words/header-words.ts";
import { TYPE_WORDS } from "../words/words.ts";
import { answered } from "./answers.ts";

/** Headers of people, folded. */
const PEOPLE = new Set(
  `athlete athletes runner rider cyclist swimmer triathlete person who member user participant teammate trainee client sportler sportlerin
  laufer lauferin athletin fahrer schwimmer wer mitglied teilnehmer coureur coureuse athlete cycliste nageur qui membre corredor corredora atleta
  ciclista nadador quien usuario miembro corridore chi membro atleet loper hardloper renner wie lid lopare idrottare vem medlem lober hvem
  zawodnik zawodniczka biegacz kto child enfant hijo hija figlio figlia filho filha barn dziecko 選手 氏名 ランナー`.split(
    /\s+/,
  ),
);

/** Headers that may be a person's, or a workout's: `Name`. Their cells decide. */
const NAMES = new Set(
  "name naam nom nombre nome namn navn nazwa imie 名前 full name first name vorname prenom".split(" "),
);

/** Cells below `Who` that say with whom a person ran, folded. Then the column is of companions. */
const COMPANIONS = new Set(
  `alone solo group club team friends family allein gruppe verein familie seul seule groupe famille sola grupo familia sozinho sozinha
  gruppo amici famiglia alleen groep vrienden ensam grupp kompisar alene klub venner sam sama samemu grupa znajomi 一人 ひとり 単独 グループ`.split(
    /\s+/,
  ),
);

/** Small words inside the name of a person. */
const PARTICLES = new Set("van von der den de da di do del della dos du la le el al bin ibn af av y e".split(" "));

/** The end of a longer word for a workout: `Søndagstur`, `Klubbträning`, `Mittagslauf`. In languages that write both as one word. */
const WORKOUT_ENDS =
  /\p{L}{3}(?:tur|løb|lauf|loop|pass|runde|runda|löpning|løping|löpset|træning|trening|träning|training|einheit|ritje|duurloop)$|ラン$|走$|ジョグ$/iu;

/** People in one sheet whose names are offered. */
const MOST_PEOPLE = 30;

/** The answer for a column that says nothing of that kind. */
export const EVERYBODY = "everybody";

/** The rule that leaves the rows of others, and its choice. */
export interface AthleteRows {
  /** The columns. That of the people says nothing more of a workout. */
  readonly columns: readonly AssignedColumn[];
  readonly choice: Choice;
  /** The rule; undefined once a person said that all rows are of one athlete. */
  readonly rule: SkipRule | undefined;
  readonly isOthers: (row: number) => boolean;
}

/** Finds the column and asks; undefined for a sheet of one athlete. */
export function athleteRows(columns: readonly AssignedColumn[], answers: Answers): AthleteRows | undefined {
  const column = columns.find(isPeople);
  if (column === undefined) return undefined;
  const people = countTexts(column.filled);
  const [first = ["", 0]] = people;
  const place = `rows.athlete`;
  const asked: Choice = {
    ...{ place, value: first[0], contradicting: 0, rows: column.filled.length },
    why: `the column ${JSON.stringify(column.name)} names ${people.length} people. One log is of one athlete: propose a file for each with --out, and plan each with --map`,
    question: "Whose workouts are these?",
    options: [
      ...people.map(([name, rows]) => ({
        value: name,
        means: `the ${rows} ${rows === 1 ? "row" : "rows"} of this athlete alone`,
      })),
      { value: EVERYBODY, means: "all rows are yours, and this rule can go" },
    ],
  };
  const choice = answered(asked, answers);
  if (choice !== asked && choice.value === EVERYBODY)
    return { columns, choice, rule: undefined, isOthers: () => false };
  const own = foldHeader(choice.value);
  // Until somebody answers, `Name` may as well be the title of the workout.
  const header = foldHeader(column.name);
  const isSure = choice !== asked || PEOPLE.has(header) || isNumbered(header);
  return {
    columns: columns.map((each) => (each === column && isSure ? { ...each, left: "whose workout it is" } : each)),
    choice,
    rule: { when: [{ column: column.name, isNot: choice.value, place }], skip: "another athlete" },
    isOthers: (row) => choice !== asked && foldHeader(column.cells[row] ?? "") !== own,
  };
}

function isPeople({ name, filled, role }: AssignedColumn): boolean {
  const header = foldHeader(name);
  const people = new Set(filled.map(foldHeader));
  if (isNumbered(header))
    return people.size > 1 && people.size <= MOST_PEOPLE && filled.length >= people.size * 2 && role !== "notes";
  if (people.size < 2 || people.size > MOST_PEOPLE || !filled.every(isPersonal)) return false;
  if (filled.some((cell) => COMPANIONS.has(foldHeader(cell)))) return false;
  if (PEOPLE.has(header)) return role === undefined || role === "name" || role === "activity";
  // A workout's title is seldom the same in every third row, and says what it was.
  return NAMES.has(header) && filled.length >= people.size * 3 && filled.every(isNamed) && !filled.some(isOfWorkout);
}

/** Whether a header says the number or the address of a person: `Athlete ID`, `Email`. */
function isNumbered(header: string): boolean {
  const [, who] = /^(\S+)[ _-](?:id|no|nr|number|nummer|numero|numer|code|e-?mail)$/.exec(header) ?? [];
  return /^e-?mail(?: address)?$/.test(header) || (who !== undefined && PEOPLE.has(who));
}

/** Whether a cell can be a person's name. */
const isPersonal = (cell: string) => /^[\p{L}][\p{L}.'’ -]{0,40}$/u.test(cell);

/** Whether a text is written as names are: `Ludwig van Hoven`, or `ana`. `Op på hesten` is not. */
function isNamed(cell: string): boolean {
  const words = cell.split(/\s+/).filter((word) => !PARTICLES.has(word.toLowerCase()));
  const small = words.filter((word) => /^\p{Ll}/u.test(word));
  return words.length <= 4 && (small.length === 0 || small.length === words.length);
}

/** Whether a text says what a workout was: `Easy run`. */
function isOfWorkout(cell: string): boolean {
  return [cell, ...cell.split(/\s+/)].some(
    (word) =>
      activityNamed(word) !== undefined ||
      TYPE_WORDS.has(foldHeader(word)) ||
      WORKOUT_ENDS.test(word) ||
      /^(?:loop|park|route|race|club|track|lauf|run\p{L}*)$/iu.test(word),
  );
}
