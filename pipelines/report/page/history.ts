/** The history of a journal as one page: every run, newest first, with what it did, why records stayed out, and what to type. */
import { LEDGER_ROWS } from "../../journal/summary.ts";
import type { Report } from "../schema.ts";
import { frameOf, generatorOf } from "./frame.ts";
import { type Html, html } from "./html.ts";
import { asItStands, type Completes, commandOf, type RecordGroup, recordSections } from "./records.ts";
import { counted, instantText, number } from "./wording.ts";

/** The mark of the page. logferry may replace a file that has it. */
export const HISTORY_GENERATOR = generatorOf("logferry history");

/** One run of the history. */
export interface HistoryRun {
  readonly report: Report;
  /** What kind of run it was: `import`, `retry of run 3`. */
  readonly what: string;
  /** `isSettled` if later runs left nothing of this state open. */
  readonly groups: readonly (RecordGroup & { readonly isSettled?: true })[];
  /** How many records of it somebody took out of the log after it. Absent without any. */
  readonly goneSince?: number;
  /** What `logferry undo` did: the number of records that it put back, and of those that the run made and that are to be taken out. Absent without any. */
  readonly undone?: { readonly putBack: number; readonly made: number };
  /** What is open, and the command for it. */
  readonly steps: readonly { readonly left: string; readonly command: string }[];
}

/**
 * The page. It holds one run at a time in memory.
 *
 * @param completes completes the commands that the page adds to those of the runs
 */
export async function* historyPage(
  account: string | undefined,
  runs: AsyncIterable<HistoryRun>,
  completes: Completes = asItStands,
): AsyncIterable<string> {
  const whose = account === undefined ? "the log" : `the log of ${account}`;
  yield frameOf(`Import history of ${whose}: logferry`, "logferry history").text;
  yield html`<header><p class="kicker">logferry history</p><h1>What was carried into ${whose}</h1></header>
<main>
`.text;
  let isFirst = true;
  for await (const run of runs) {
    yield runSection(run, isFirst, completes).text;
    isFirst = false;
  }
  yield "</main>\n<footer><p>This page is one file: it needs no network, runs no script and tells nobody that you read it.</p></footer>\n</body>\n</html>\n";
}

/** What became of a run since, in sentences. */
export function sinceThen({ goneSince = 0, undone }: Pick<HistoryRun, "goneSince" | "undone">): readonly string[] {
  const are = (n: number) => `${counted(n, "record")} ${n === 1 ? "is" : "are"}`;
  const { putBack = 0, made = 0 } = undone ?? {};
  return [
    ...(goneSince > 0 ? [`Since then ${are(goneSince)} no longer in the log.`] : []),
    ...(putBack > 0 ? [`You undid it: ${are(putBack)} as before.`] : []),
    ...(made > 0
      ? [
          `You undid it: ${counted(made, "record")} that it made ${made === 1 ? "is" : "are"} yours to take out of the log.`,
        ]
      : []),
  ];
}

function runSection(
  { report, what, groups, steps, ...since }: HistoryRun,
  isOpen: boolean,
  completes: Completes,
): Html {
  const { run, sources, ledger } = report;
  const did = LEDGER_ROWS.filter(({ value }) => value(ledger) > 0).map(
    ({ word, means, value }) =>
      html`<tr><th scope="row">${word} <span class="means">${means}</span></th><td>${number(value(ledger))}</td></tr>`,
  );
  const when = instantText(run.finishedAt ?? run.plannedAt);
  return html`<section><h2>Run ${run.number}: ${what}, ${when}</h2>
<p>${run.state === "finished" ? "Finished" : run.state === "planned" ? "Only planned: nothing was changed" : `It is ${run.state}`}. From ${sources.map(({ name }) => name).join(", ")}: ${counted(ledger.read, "record")}.${sinceThen(since).map((sentence) => html` ${sentence}`)}</p>
<table class="ledger"><caption class="hidden">What run ${run.number} did</caption><thead><tr><th scope="col"><span class="hidden">Where it ended</span></th><th scope="col">Records</th></tr></thead><tbody>${did}</tbody></table>
${
  steps.length > 0 &&
  html`<ul class="todo">${steps.map(({ left, command }) => html`<li><span><b>${left}</b> ${commandOf(command, asItStands)}</span></li>`)}</ul>`
}
${run.state !== "planned" && run.state !== "superseded" && html`<p class="small muted">To see what it wrote over, and to put it back: ${commandOf(`logferry undo ${run.number} --dry-run`, completes)}</p>`}
${groups.length > 0 && html`<details${isOpen && html` open`}><summary>Every record that is not simply in the log</summary>${recordSections(groups, completes)}</details>`}</section>
`;
}
