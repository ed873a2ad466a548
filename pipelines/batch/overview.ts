/** Everybody on one page for the coach, with a link to each athlete's report and summary; and the same for programs. */

import { defined } from "../../transforms/model/defined.ts";
import { inLog, needsAttention } from "../journal/summary.ts";
import { frameOf, generatorOf } from "../report/page/frame.ts";
import { type Html, html } from "../report/page/html.ts";
import { counted, instantText, number } from "../report/page/wording.ts";
import type { Cause } from "./causes.ts";
import { ATHLETE_STATUSES, isDone, type Outcome } from "./outcome.ts";

/** An athlete of an overview. */
export interface OverviewAthlete {
  readonly outcome: Outcome;
  /** For the coach: why they are not done, and what to do; undefined where they are. */
  readonly why: string | undefined;
  /** Files about them, as seen from the overview. */
  readonly files: { readonly report?: string; readonly summary?: string };
}

/** What an overview is made from. */
export interface OverviewFacts {
  /** The roster's name, without its folder. */
  readonly roster: string;
  readonly athletes: readonly OverviewAthlete[];
  /** Why records did not come over, over all athletes. */
  readonly causes?: readonly Cause[];
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly version: string;
  /** Whether nothing was carried out. */
  readonly isPlan: boolean;
}

/** What the JSON begins with: a folder that holds it is ours to write to. */
export const OVERVIEW_MARK = '{\n  "format": "logferry batch"';

/** For programs. */
export function overviewJson({ roster, athletes, causes = [], now, version, isPlan }: OverviewFacts): string {
  const data = {
    format: "logferry batch",
    formatVersion: 1,
    writtenAt: new Date(now).toISOString(),
    writtenBy: version,
    roster,
    isPlan,
    causes,
    athletes: athletes.map(({ outcome: { fingerprint: _mark, knownBy: _marks, at, ...outcome }, why, files }) => ({
      ...outcome,
      ...defined({ why }),
      at: new Date(at).toISOString(),
      files,
    })),
  };
  return `${JSON.stringify(data, undefined, 2)}\n`;
}

const GENERATOR = "logferry batch";

/** A reason may hold a word without an end. */
const STYLE =
  "\n.todo div { overflow-wrap: anywhere; } td.text, th.text { min-width: 7rem; } .state { text-align: left; padding: 0.3125rem 0.5rem; } a { color: var(--accent); }\n";

/** The mark of the page. */
export const OVERVIEW_GENERATOR = generatorOf(GENERATOR);

/** The page. */
export function overviewPage(facts: OverviewFacts): string {
  const { roster, athletes, causes = [], now, version, isPlan } = facts;
  const good = athletes.filter(({ outcome }) => isDone(outcome)).length;
  // Who is ready may begin; who is still ready afterwards isn't done.
  const open = athletes.filter(({ outcome }) => !(isPlan ? ATHLETE_STATUSES[outcome.status].isGood : isDone(outcome)));
  return html`${frameOf(`${roster}: logferry batch`, GENERATOR, STYLE)}<header>
<p class="kicker">logferry batch, ${instantText(new Date(now).toISOString())}</p>
<h1>${roster}</h1>
</header>
<main>
<section class="answers" aria-label="In short">
<div class="answer ${open.length === 0 ? "good" : "wait"}"><h2>${isPlan ? "Can it begin?" : "Is it done?"}</h2><p class="word">${
    open.length === 0 ? (isPlan ? "Yes" : "Yes, for all") : "Not for all"
  }</p><p>${
    isPlan
      ? `${counted(athletes.length - open.length, "athlete")} of ${number(athletes.length)} are ready or done. Nothing was changed.`
      : `${number(good)} of ${counted(athletes.length, "athlete")} ${athletes.length === 1 ? "is" : "are"} done.`
  }</p></div>
<div class="answer ${open.length === 0 ? "good" : "bad"}"><h2>Who needs a look?</h2><p class="word">${
    open.length === 0 ? "Nobody" : counted(open.length, "athlete")
  }</p><p>${[...Map.groupBy(open, ({ outcome }) => ATHLETE_STATUSES[outcome.status].word)].map(([word, of]) => `${number(of.length)} ${word}`).join(", ")}</p></div>
</section>
${causes.length > 0 && whyNot(causes)}
${open.length > 0 && toLookAt(open)}
<section><h2>Everybody</h2><div class="scroll"><table><caption class="hidden">Athletes and how they stand</caption>
<thead><tr><th scope="col">Athlete</th><th scope="col" class="text">Log</th><th scope="col" class="state">State</th><th scope="col">Read</th><th scope="col">In the log</th><th scope="col">Left</th><th scope="col">To look at</th><th scope="col" class="text">Files</th></tr></thead>
<tbody>${athletes.map(row)}</tbody></table></div></section>
</main>
<footer><p>This page is for the coach: it names everybody. What is meant for an athlete is in their folder. It needs no network, runs no script, and holds no token. Written by logferry ${version}.</p></footer>
</body>
</html>
`.text;
}

/** Each cause once, the one with most records first, with the one command that helps everybody. */
function whyNot(causes: readonly Cause[]): Html {
  return html`<section class="card"><h2>Why records did not come over</h2><ol class="todo">${causes.map(
    ({ what, records, athletes, remedy }) =>
      html`<li><div><b>${counted(records, "record")} of ${athletes.join(", ")}</b>${what}<br>${remedy}</div></li>`,
  )}</ol></section>`;
}

function toLookAt(open: readonly OverviewAthlete[]): Html {
  return html`<section class="card"><h2>To look at</h2><ol class="todo">${open.map(
    ({ outcome, why }) =>
      html`<li><div><b>${outcome.athlete}</b>${sentences(why ?? ATHLETE_STATUSES[outcome.status].means)}</div></li>`,
  )}</ol></section>`;
}

/** A reason in pieces, each short enough to be shown whole: what to do stands at the end of a long one. */
function sentences(why: string): readonly string[] {
  return why.split(/(?<=[;.] )/);
}

function row({ outcome, files }: OverviewAthlete): Html {
  const { athlete, log, ledger, status } = outcome;
  const { word, isGood } = ATHLETE_STATUSES[status];
  const cell = (value: number | undefined) => html`<td>${value === undefined ? "–" : number(value)}</td>`;
  return html`<tr><th scope="row" class="text">${athlete}</th><td class="text">${log?.account}</td><td class="state ${isGood ? "good" : "bad"}">${word}</td>${cell(ledger?.read)}${cell(ledger && inLog(ledger))}${cell(ledger?.left)}${cell(ledger && needsAttention(ledger))}<td class="text">${
    files.report !== undefined && html`<a href="${files.report}">report</a> `
  }${files.summary !== undefined && html`<a href="${files.summary}">summary</a>`}</td></tr>
`;
}
