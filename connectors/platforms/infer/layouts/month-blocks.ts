/** Tells a table whose months stand side by side, each with its own columns of days, distances and times. */
import { monthNamed } from "../../../formats/month-names.ts";
import type { NoProposal } from "../choices/no-proposal.ts";
import type { SheetSample } from "../sample/sample.ts";

/** Why nothing can be proposed for such a table; undefined for any other table. */
export function monthBlocks({ header, titles }: SheetSample): NoProposal | undefined {
  // The second of two columns called Day is `Day#2`.
  const [first] = header;
  const blocks = header.filter((name) => name.replace(/#\d+$/, "") === first).length;
  const months = [
    ...new Set(titles.flatMap((cell) => cell.split(/[\s,]+/)).filter((word) => monthNamed(word) !== undefined)),
  ];
  if (first === undefined || first === "" || blocks < 2 || months.length !== blocks) return undefined;
  return {
    problem: `${blocks} months stand side by side (${months.slice(0, 3).join(", ")}), each with columns of its own`,
    next: "Put the rows of each month below those of the month before, with whole dates such as 2013-02-14, and propose again",
  };
}
