/** What stands between a file and its rows. */
import type { Issue, Origin } from "../../../transforms/model/issue.ts";

/** A row in its place, or what stands there that can't be one. */
export type SheetRow = { readonly origin: Origin } & (
  | {
      readonly fields: readonly string[];
      /** Why it is only the beginning of a row. */
      readonly cut?: Issue;
    }
  | { readonly error: Issue /** What its key says, where the line is none. */; readonly known?: string }
);

/** Told of what costs no row. */
export type ReportAt = (issue: Issue, origin: Origin) => void;
