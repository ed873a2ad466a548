/** The rows that a source gives to the engine, whatever the format of its file. */
import type { Issue, Origin } from "../../../../transforms/model/issue.ts";
import type { UnsupportedValue } from "../../../../transforms/model/workout.ts";

/** A row with its place, or the issue of a faulty row. */
export type SheetRow = { readonly origin: Origin } & (
  | {
      readonly fields: readonly string[];
      /** The reason, if it is only the beginning of a row. */
      readonly cut?: Issue;
      /** The columns that it has no cell for: it has fewer cells than the header. */
      readonly missing?: readonly string[];
      /** Problems of its cells that were found before its values were read. */
      readonly remarks?: readonly Issue[];
      /** Why it is no workout, if its table shows that. */
      readonly skip?: string;
      /** Why it is no workout, unless a rule gives another reason. */
      readonly skipElse?: string;
      /** Its values in columns that nobody here knows, and that its table's header doesn't show. */
      readonly added?: readonly UnsupportedValue[];
      /** What the title of its section says. */
      readonly section?: { readonly year?: number; readonly month?: number };
    }
  | {
      readonly error: Issue;
      /** The place for its key, instead of its line. */
      readonly known?: string;
      /** True if nothing behind it was read, so it stands for any number of rows. */
      readonly endsFile?: true;
    }
);

/** Receives issues that cost no row. */
export type ReportAt = (issue: Issue, origin: Origin) => void;
