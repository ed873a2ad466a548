/** Doubts groups of columns below texts that are neither sports nor parts of the day: `Anna` and `Ben`, or a plan and what came of it. */
import { printable } from "../../../transforms/text/printable.ts";
import { alternatives } from "../../../transforms/text/zod-messages.ts";
import type { Regrouped } from "./groups.ts";
import { foldHeader } from "./header-words.ts";
import type { NoProposal } from "./no-proposal.ts";
import type { SheetSample } from "./sample.ts";

/** The number that a program adds to a header that stands there once more. */
const REPEATED = /#\d+$/;

/** Why nobody knows whose workouts the groups are; undefined for groups below one text, or below numbered ones such as `Run 1` and `Run 2`. */
export function unknownLabels(
  { header, labels }: SheetSample,
  groups: Pick<Regrouped, "repeat"> | undefined,
): NoProposal | undefined {
  if (labels === undefined || groups === undefined) return undefined;
  const lists = [...groups.repeat.values()];
  if (!lists.some((names) => names.some((name) => name !== null && REPEATED.test(name)))) return undefined;
  const above = new Map(
    lists.flatMap((names) =>
      names.flatMap((name) => {
        const label = name === null ? undefined : labels[header.indexOf(name)];
        return label === undefined || label === "" ? [] : [[foldHeader(label).replaceAll(/\d+/g, ""), label] as const];
      }),
    ),
  );
  if (above.size < 2) return undefined;
  const [one = "", other = ""] = [...above.values()].map((label) => JSON.stringify(printable(label, 30)));
  const names = [...new Set(lists.flatMap((list) => list.flatMap((name) => name?.replace(REPEATED, "") ?? [])))];
  const columns = alternatives(
    names.slice(0, 3).map((name) => JSON.stringify(printable(name, 30))),
    "and",
  );
  return {
    problem: `the columns ${columns} stand below ${one} and again below ${other}, and logferry knows neither. They may be two people, or a plan and what came of it`,
    next: "Keep the columns of one person, or of what was done, and delete the others in a copy of the table. If all are workouts of yours, delete the row above the header. Then propose again",
  };
}
