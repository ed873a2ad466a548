/**
 * Writes the table of a platform as a mapping file that a person can start from. What a mapping file has no word for becomes a comment.
 */
import type { ShownMapping } from "../../contract.ts";
import { yamlText } from "../../formats/yaml.ts";
import type { ColumnRow, Description, WorkoutTable } from "./description.ts";
import { type ColumnSpec, FIELDS, fieldNamed, isFieldName, unitsOf } from "./mapping/fields.ts";
import { ASK } from "./mapping/mapping.ts";

/** Writes each table of workouts. */
export function asMappings(description: Description): readonly ShownMapping[] {
  const { workouts, title } = description;
  return workouts.map((table, index) => {
    const called = table.from.table?.called ?? "files that are no tables";
    const place = workouts.length === 1 ? called : `${called}, table ${index + 1} of ${workouts.length}`;
    const lines = [
      `# ${title} (${place}), as a mapping file to start from.`,
      ...(table.from.table === undefined ? NO_TABLE : []),
      `# ${table.from.table === undefined ? FOR_A_TABLE : FOR_THIS_TABLE}${columnLines(table).some((line) => STARTS.test(line)) ? "" : ` ${UNUSABLE}`}`,
      "version: 1",
      ...fileLines(table),
      `dates: { order: ${table.dates.order}, zone: ${table.dates.zone} }`,
      "missingColumns: ignore # a table need not have all of these",
      "columns:",
      ...columnLines(table).map((line) => `  ${line}`),
      ...(table.sport === undefined ? [] : ["defaults:", `  activity: ${table.sport}`]),
      ...valueLines(table),
      ...goldenLines(table),
      ...unsaid(description, table).map((line) => `# Not said here: ${line}.`),
    ];
    return { called: place, text: `${lines.join("\n")}\n` };
  });
}

/** A line of a column that says when a workout was. */
const STARTS = /^[^#].*\{ field: (?:date|datetime|instant)\b/;
const FOR_THIS_TABLE =
  "logferry reads this export without a mapping file. Use this one for a table that was changed or is like it.";
const UNUSABLE =
  "No single column has the start of a workout, so this can't be used as it is: give one column the field date or datetime.";

/** What a person does who wants files that are no tables to be read in another way. */
const NO_TABLE = [
  "# logferry reads this export without a mapping file. See what would happen: logferry plan EXPORT",
  "# A mapping file is for tables only: CSV, XLSX and ODS. The rows below lie in other files, so this one can't change how they are read.",
  "# It shows what each value becomes. To give a sport another meaning, add --sport WORD=run to the plan.",
];
const FOR_A_TABLE = "If you have these values as a table, rename its columns as below, and use this file for it.";

function fileLines({ decimal, nulls = [] }: WorkoutTable): readonly string[] {
  const words = [
    ...(decimal === undefined ? [] : [`decimal: ${yamlText(decimal)}`]),
    ...(nulls.length === 0 ? [] : [`nulls: [${nulls.map(yamlText).join(", ")}]`]),
  ];
  return words.length === 0 ? [] : [`file: { ${words.join(", ")} }`];
}

/** The lines of the columns. A field that only one column can be takes its further columns as `otherwise`. */
function columnLines({ columns, from }: WorkoutTable): readonly string[] {
  const fields = new Set<string>();
  const headers = new Set<string>();
  return columns.map(([theirs, field, how = {}]) => {
    const [name = "", ...also] = [theirs].flat();
    const what = unsayable(name, field, how, headers.has(name.toLowerCase()), from.table?.made ?? []);
    if (what !== undefined) return `# ${oneLine(name)}: ${what}`;
    headers.add(name.toLowerCase());
    const isFirst = !isTaken(field, fields);
    fields.add(field);
    const end = ` }${remarkOf(field, how)}`;
    return `${wrapped([`${yamlText(name)}: { `, ...wordsOf(field, how, also, isFirst)])}${end}`;
  });
}

/** The most characters of a line of words. A terminal, and the output of logferry, cut a line that is much longer. */
const WIDTH = 140;

/** The words of a column, with a comma between two, over as many lines as they need. The first one is the column's name. */
function wrapped([start = "", ...words]: readonly string[]): string {
  const lines = [start];
  for (const [index, word] of words.entries()) {
    const text = index === words.length - 1 ? word : `${word},`;
    const line = lines.at(-1) ?? "";
    if (index > 0 && line.length + 1 + text.length > WIDTH) lines.push(`      ${text}`);
    else lines[lines.length - 1] = index === 0 ? `${line}${text}` : `${line} ${text}`;
  }
  return lines.join("\n");
}

/** The words of a list, one for each of its values. */
function listWords(word: string, values: readonly unknown[]): readonly string[] {
  return values.map((value, index) => {
    const [opens, closes] = [index === 0 ? `${word}: [` : "", index === values.length - 1 ? "]" : ""];
    return `${opens}${yamlText(value)}${closes}`;
  });
}

/** Fields that exclude one another among the columns that count. */
const RIVALS: Readonly<Record<string, string>> = {
  date: "start",
  datetime: "start",
  time: "clock",
  duration: "length",
  "duration.hours": "length",
  "duration.minutes": "length",
  "duration.seconds": "length",
};

function isTaken(field: ColumnSpec["field"], fields: ReadonlySet<string>): boolean {
  if (FIELDS.some((row) => row.field === field && "repeats" in row)) return false;
  if (fields.has(field) || (field === "time" && fields.has("datetime"))) return true;
  const isPart = field.startsWith("duration.");
  return [...fields].some((other) => {
    const isSame = RIVALS[other] !== undefined && RIVALS[other] === RIVALS[field];
    return isSame && !(isPart && other.startsWith("duration."));
  });
}

/** Why a column can't stand in a mapping file; undefined if it can. */
function unsayable(
  name: string,
  field: ColumnSpec["field"],
  { read, laps }: ColumnRow[2] & object,
  isKnown: boolean,
  made: readonly string[],
): string | undefined {
  if (made.some((each) => each === name)) return `${field}, which logferry makes of several cells`;
  if (isKnown) return `also ${field}, but a mapping file gives a column one meaning`;
  if (laps !== undefined || !isFieldName(field)) return `${field}, which a mapping file can't say`;
  return field === "id" && read !== undefined ? "id, a part of its cell" : undefined;
}

type Word = keyof ColumnSpec;

/** Words that mean in a mapping file what they mean in a table, in the order of a line. */
const WORDS = [
  "unit",
  "unitColumn",
  "format",
  "separator",
  "label",
  "why",
  "zero",
  "per",
  "decimal",
] as const satisfies readonly (Word | "why")[];

function wordsOf(
  field: ColumnSpec["field"],
  how: NonNullable<ColumnRow[2]>,
  also: readonly string[],
  isFirst: boolean,
): readonly string[] {
  const { measures, needs = [] } = isFieldName(field) ? fieldNamed(field) : {};
  const said = WORDS.flatMap((word) => {
    const value = how[word];
    if (value === undefined) return [];
    return Array.isArray(value) ? listWords(word, value) : [`${word}: ${yamlText(value)}`];
  });
  const hasUnit = how.unit !== undefined || how.unitColumn !== undefined;
  return [
    `field: ${field}`,
    // A unit that nobody said is a question. A mapping file with an open question is not used.
    ...(measures !== undefined && !hasUnit ? [`unit: ${ASK}`] : []),
    ...(needs.includes("format") && how.format === undefined ? ["format: seconds"] : []),
    ...(needs.includes("label") && how.label === undefined ? [`label: ${field}`] : []),
    ...said,
    ...(how.scale === undefined ? [] : [`scale: ${how.scale.from.join("..")} -> ${how.scale.to.join("..")}`]),
    ...(how.add === undefined ? [] : ["add: true"]),
    ...listWords("also", also),
    ...((isFirst || how.add) && how.otherwise === undefined ? [] : ["otherwise: true"]),
  ];
}

/** Many platforms count swims in metres, and other sports in kilometres or miles. */
const BY_SPORT = ". Units may differ by sport: { swim: m, default: km }";

function remarkOf(field: ColumnSpec["field"], how: NonNullable<ColumnRow[2]>): string {
  const { measures } = isFieldName(field) ? fieldNamed(field) : {};
  const isOpen = measures !== undefined && how.unit === undefined && how.unitColumn === undefined;
  const remarks = [
    ...(isOpen
      ? [`${unitsOf(measures).join(", ")}? No header says the unit${measures === "distance" ? BY_SPORT : ""}`]
      : []),
    ...(how.read === undefined ? [] : ["logferry first puts its cells into another form"]),
    ...(how.matches === undefined ? [] : ["only rows with an id of the platform's form"]),
  ];
  return remarks.length === 0 ? "" : ` # ${remarks.join("; ")}`;
}

function valueLines({ sports = {}, types = {}, conditions = {} }: WorkoutTable): readonly string[] {
  const groups = { activity: sports, type: types, conditions };
  const lines = Object.entries(groups).flatMap(([group, words]) =>
    Object.keys(words).length === 0
      ? []
      : [
          `  ${group}:`,
          ...Object.entries(words).map(([word, meaning]) => {
            const value = Array.isArray(meaning) ? `[${meaning.map(yamlText).join(", ")}]` : yamlText(meaning);
            return `    ${yamlText(word)}: ${value}`;
          }),
        ],
  );
  return lines.length === 0 ? [] : ["values:", ...lines];
}

/** The golden rows, for `logferry map test`. */
function goldenLines({ golden = [] }: WorkoutTable): readonly string[] {
  const wordsIn = (values: Readonly<Record<string, string | undefined>>) =>
    Object.entries(values).flatMap(([name, value]) =>
      value === undefined ? [] : [`${yamlText(name)}: ${yamlText(value)}`],
    );
  const rows = golden.flatMap(({ cells, gives }) => [
    `${wrapped(["  - cells: { ", ...wordsIn(cells)])} }`,
    `${wrapped(["    gives: { ", ...wordsIn(gives)])} }`,
  ]);
  return rows.length === 0 ? [] : ["tests: # logferry map test reads these rows", ...rows];
}

/** What the description says besides, in words. */
function unsaid(description: Description, table: WorkoutTable): readonly string[] {
  const { gear, days, calledGear, courses, recordings, filesByStart, leaves } = description;
  const parts: readonly (readonly [unknown, string])[] = [
    [table.skips, "which rows are no workouts"],
    [table.sameBy, "what makes a row the same in a later export"],
    [table.shows, "how the numbers show the units of the table"],
    [table.track ?? table.trackFiles ?? table.trackList, "how logferry makes a track of recorded points"],
    [table.onlyAlone, "it is read only where the archive has no other table of the platform"],
    [table.filesById ?? table.filesByName ?? filesByStart, "how rows find their device files"],
    [recordings, `the device files beside it, ${recordings}`],
    [gear ?? calledGear, "the lists of shoes and bikes"],
    [courses, "the list of courses"],
    [days, "lists of weights and heart rates by day"],
    [Object.keys(leaves).length > 0 || undefined, `files that are left: ${Object.keys(leaves).join(", ")}`],
  ];
  return parts.filter(([isThere]) => isThere !== undefined).map(([, words]) => oneLine(words));
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ");
}
