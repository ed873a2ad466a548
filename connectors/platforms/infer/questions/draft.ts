/** A mapping file before it is written. */
import type { Choice } from "../choices/choice.ts";
import type { NoProposal } from "../choices/no-proposal.ts";
import type { RepeatedColumns } from "../columns/group-tags.ts";
import type { GroupSports } from "../groups/groups.ts";
import type { RaceMarks } from "../rows/race-marks.ts";
import type { SkipRule } from "../rows/skipped-rows.ts";

/** The words of one column, in the order in which they are written. */
export type DraftColumn = Readonly<
  Record<
    string,
    | string
    | number
    | true
    | readonly string[]
    | Readonly<Record<string, string | Readonly<Record<string, string | readonly string[]>>>>
  >
>;

/** The words of a mapping file. */
export interface Draft {
  readonly file: Readonly<Record<string, string | number | boolean | readonly string[]>>;
  /** What the title and the names say of the unit and the year, if a choice rests on it, and the line of units below the header. */
  readonly restsOn?: Readonly<Partial<Record<"title" | "sheet" | "name" | "units", string>>> | undefined;
  readonly order: string;
  readonly zone: "local" | "utc" | "offset";
  /** The year of the first row, if the dates have none, and how the years go on at New Year. */
  readonly year: string | undefined;
  readonly newYear: string | undefined;
  /** What says the month, if the dates are days alone: the name of each sheet. */
  readonly month: string | undefined;
  /** The first year of two digits that is of the last century, where that isn't 70. */
  readonly pivot?: string;
  /** The columns of the seven days of a week. Empty if a row is no week. */
  readonly week: RepeatedColumns;
  /** Which day of its week a date is. */
  readonly weekDate: string | undefined;
  /** Columns that come in groups. Empty if a row is one workout. */
  readonly repeat: RepeatedColumns;
  /** The sports of these groups, if the headers name them. */
  readonly groupSports: GroupSports | undefined;
  /** Columns with one value for all workouts of a row. */
  readonly shared: readonly string[];
  /** Whether titles among the rows complete the dates below them. */
  readonly sections?: true;
  /** The new column with the sports that titles among the rows say. */
  readonly titledSports?: string;
  /** Texts that stand for the cell above. Empty if there are none. */
  readonly ditto: readonly string[];
  /** Columns in which an empty cell stands for the one above, with the places of the choices. */
  readonly asAbove: readonly (readonly [place: string, column: string])[];
  /** New columns that are put together from others, and how. */
  readonly join?: ReadonlyMap<string, string>;
  readonly columns: ReadonlyMap<string, DraftColumn>;
  readonly activity: string | undefined;
  readonly rows: readonly SkipRule[];
  /** The column whose marks make races. */
  readonly races?: RaceMarks | undefined;
  readonly values: Readonly<Record<"activity" | "type" | "conditions", ReadonlyMap<string, string>>>;
  /** Words of sports that nobody knows, with their numbers of rows. A person completes them. */
  readonly unknownSports: readonly (readonly [word: string, rows: number])[];
}

/** A proposal with more words in its draft, and with the choice behind them in front of the others. */
export function withWords(
  proposal: Proposal | NoProposal,
  words: Partial<Draft>,
  choice?: Choice,
): Proposal | NoProposal {
  if ("problem" in proposal) return proposal;
  const { draft, choices } = proposal;
  return { ...proposal, draft: { ...draft, ...words }, choices: [...(choice ? [choice] : []), ...choices] };
}

/** A proposed mapping with the choices in it. */
export interface Proposal {
  readonly draft: Draft;
  /** In the order of the mapping file. */
  readonly choices: readonly Choice[];
  /** Rows that were looked at, and whether the table has more. */
  readonly rows: number;
  /** The sheets of a workbook that these rows are in; 1 for a text. */
  readonly sheets: number;
  readonly isCut: boolean;
}
