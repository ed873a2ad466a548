/** The tables of a report: years, activities, months, and the final states of all records. */
import { LEDGER_ROWS, type Ledger } from "../../journal/summary.ts";
import type { Report, Sums } from "../schema.ts";
import { activityName, colourOf } from "./chart.ts";
import { type Html, html } from "./html.ts";
import { distance, hours, monthName, number } from "./wording.ts";

/** A row of a table of sums. */
interface SumRow {
  readonly name: Html | string;
  readonly sums: Sums;
}

type SumsByYear = Pick<Report, "log" | "totals" | "byYear">;
type SumsByActivity = Pick<Report, "log" | "totals" | "byActivity">;

/** Years, newest first: the values read from the sources, and the part in the log. */
export function yearTable(report: SumsByYear): Html {
  const rows = report.byYear.map(({ year, ...sums }) => ({ name: year ?? "without a date", sums }));
  return sumTable(report, "By year", "Year", rows.toReversed());
}

/** Activities, sorted by time, the longest first. */
export function activityTable(report: SumsByActivity): Html {
  const colour = colourOf(report);
  const rows = report.byActivity.map(({ activity, ...sums }) => ({
    name: html`<span class="key ${colour(activity)}"></span> ${activityName(activity)}`,
    sums,
  }));
  return sumTable(report, "By activity", "Activity", rows);
}

/** Every month with its activity, newest first. */
export function monthTable(report: Pick<Report, "log" | "byMonth">): Html {
  const months = [...Map.groupBy(report.byMonth, ({ month }) => month)].toReversed();
  const { distanceUnit: unit } = report.log;
  const rows = months.map(([month, ofMonth]) => {
    const of = (value: (sums: Sums) => number) => ofMonth.reduce((sum, row) => sum + value(row), 0);
    const parts = ofMonth
      .toSorted((a, b) => b.read.workouts - a.read.workouts)
      .map(({ activity, read }) => `${activityName(activity)} ${number(read.workouts)}`);
    return html`<tr><th scope="row">${month === undefined ? "without a date" : monthName(month)}</th><td>${number(of(({ read }) => read.workouts))}</td><td>${distance(
      of(({ read }) => read.metres),
      unit,
    )}</td><td>${hours(of(({ read }) => read.seconds))}</td><td>${inLogCell(
      of(({ read }) => read.workouts),
      of(({ inLog }) => inLog.workouts),
    )}</td><td class="text small muted wide">${parts.join(", ")}</td></tr>`;
  });
  return html`<table><caption class="hidden">Every month</caption><thead><tr><th scope="col">Month</th><th scope="col">Read</th><th scope="col">${unit}</th><th scope="col">Hours</th><th scope="col">In the log</th><th scope="col" class="text wide">Workouts</th></tr></thead><tbody>${rows}</tbody></table>`;
}

function sumTable(
  report: Pick<Report, "log" | "totals">,
  caption: string,
  head: string,
  rows: readonly SumRow[],
): Html {
  const { distanceUnit: unit } = report.log;
  const cells = ({ read, inLog }: Sums) =>
    html`<td>${number(read.workouts)}</td><td>${distance(read.metres, unit)}</td><td>${hours(read.seconds)}</td><td>${inLogCell(read.workouts, inLog.workouts)}</td>`;
  const body = rows.map(({ name, sums }) => html`<tr><th scope="row">${name}</th>${cells(sums)}</tr>`);
  return html`<table><caption>${caption}</caption><thead><tr><th scope="col">${head}</th><th scope="col">Read</th><th scope="col">${unit}</th><th scope="col">Hours</th><th scope="col">In the log</th></tr></thead><tbody>${body}</tbody><tfoot><tr><th scope="row">All</th>${cells(report.totals)}</tr></tfoot></table>`;
}

/** A cell stands out if the log has fewer records than the sources. */
function inLogCell(read: number, inLog: number): Html {
  return inLog < read ? html`<span class="less">${number(inLog)}</span>` : html`${number(inLog)}`;
}

/** All records, by source and by final state. */
export function ledgerTable(report: Report): Html {
  const { sources, ledger, run } = report;
  const several = sources.length > 1;
  // The sum comes first. On a phone a person has to scroll to the sources.
  const columns = [ledger, ...(several ? sources.map((source) => source.ledger) : [])];
  const row = (word: string, value: (of: Ledger) => number, means: string) =>
    value(ledger) !== 0 &&
    html`<tr><th scope="row">${word} <span class="means">${means}</span></th>${columns.map((of) => html`<td${value(of) === 0 && html` class="none"`}>${value(of) === 0 ? "–" : number(value(of))}</td>`)}</tr>`;
  const isPlan = run.state === "planned";
  const rows = [
    isPlan && row("to create", (of) => of.left - of.toUpdate, "new to the log"),
    isPlan && row("to update", (of) => of.toUpdate, "in the log, to be updated"),
    ...LEDGER_ROWS.map(({ column, word, value, means }) => !(isPlan && column === "left") && row(word, value, means)),
  ];
  const balance = report.isBalanced
    ? html`<p class="small muted">All ${number(report.ledger.read)} records are accounted for: each stands in exactly one row.</p>`
    : html`<p class="less">SOME RECORDS ARE NOT ACCOUNTED FOR. This is a bug: please report it.</p>`;
  return html`<div class="scroll" role="region" aria-label="Where every record ended" tabindex="0"><table class="ledger"><caption class="hidden">Where every record ended</caption><thead><tr><th scope="col"><span class="hidden">Where it ended</span></th><th scope="col">All</th>${several && sources.map(({ name }) => html`<th scope="col">${name}</th>`)}</tr></thead><tbody>${rows}</tbody><tfoot><tr><th scope="row">read</th>${columns.map((of) => html`<td>${number(of.read)}</td>`)}</tr></tfoot></table></div>
${balance}`;
}
