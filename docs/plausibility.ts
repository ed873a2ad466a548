/** The tables of `docs/plausibility.md`, out of the table the code judges by. */
import { farthest, LIMITS, type Limits, nearest } from "../transforms/plausibility/limits.ts";

const HOUR = 3600;

/** What is credible in one sport: kilometres in a minute, an hour and a day, the least in six hours, and the longest. */
export function plausibilityTable(): string[] {
  const rows = LIMITS.map((limits) => {
    const cells = [60, HOUR, 24 * HOUR].map((seconds) => kilometres(farthest(limits, seconds)));
    const least = nearest(limits, 6 * HOUR);
    return `| ${nameOf(limits)} | ${cells.join(" | ")} | ${least === 0 ? "any" : kilometres(least)} | ${limits.longest / HOUR} h |`;
  });
  return [
    "| sport | most in a minute | most in an hour | most in a day | least in six hours | longest |",
    "|---|---:|---:|---:|---:|---:|",
    ...rows,
  ];
}

/** The marks each limit goes through; sports with the same ones share a row. */
export function recordsTable(): string[] {
  const rows = [...new Set(LIMITS.map(({ fastest }) => fastest))].map((fastest) => {
    const names = LIMITS.filter((limits) => limits.fastest === fastest).map(nameOf);
    return `| ${names.join(", ")} | ${fastest.map(({ said }) => said).join(" · ")} |`;
  });
  return ["| sport | as fast as |", "|---|---|", ...rows];
}

function nameOf({ activity, sports }: Limits): string {
  return sports === undefined ? `\`${activity}\`` : `\`${activity}\` where the source says ${sports.join(", ")}`;
}

function kilometres(metres: number): string {
  return `${Number((metres / 1000).toPrecision(3)).toLocaleString("en")} km`;
}
