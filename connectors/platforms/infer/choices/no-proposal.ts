/** Tables that nothing can be proposed for. */

/** Why nothing can be proposed for a table. */
export interface NoProposal {
  readonly problem: string;
  /** What a person does then, as a sentence without its full stop; undefined if the problem says it. */
  readonly next: string | undefined;
  /** True if a workbook with such a sheet waits as well, because the other sheets say nothing about it. */
  readonly isOfSheet?: true;
}

/** What a person does with a table that logferry can read, and can't propose a mapping for. */
export const BY_HAND = "Write one by hand: connectors/platforms/csv/README.md shows how";
