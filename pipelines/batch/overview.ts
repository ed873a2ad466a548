/** All athletes on one page for the coach, with links to each athlete's report and summary; and the same as JSON for programs. */

import { utcText } from "../../transforms/calendar.ts";
import { defined } from "../../transforms/model/defined.ts";
import { inLog, leftOutside, needsAttention } from "../journal/summary.ts";
import { frameOf } from "../report/page/frame.ts";
import { type Html, html } from "../report/page/html.ts";
import { counted, instantText, number } from "../report/page/wording.ts";
import type { Cause } from "./causes.ts";
import { ATHLETE_STATUSES, isDone, type Outcome } from "./outcome.ts";

/** The certificate of an athlete. */
export interface BatchCertificate {
  /** Whether the old account can be closed. */
  readonly canClose: boolean;
  /** The answer, or the reason why there is none, in a sentence. */
  readonly says: string;
  readonly isWritten?: true;
}

/** An athlete in an overview. */
export interface OverviewAthlete {
  readonly outcome: Outcome;
  /** For the coach: why the athlete is not done, and the next step; undefined for a finished athlete. */
  readonly why: string | undefined;
  /** Files about the athlete, relative to the overview. */
  readonly files: { readonly report?: string; readonly summary?: string; readonly certificate?: string };
  /** Undefined when no certificate was asked for, or when the athlete's import isn't over. */
  readonly certificate?: BatchCertificate | undefined;
}

/** The facts behind an overview. */
export interface OverviewFacts {
  /** The roster's name, without its folder. */
  readonly roster: string;
  readonly athletes: readonly OverviewAthlete[];
  /** The causes of records that were not loaded, over all athletes. */
  readonly causes?: readonly Cause[];
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly version: string;
  /** True for a plan, which loads nothing. */
  readonly isPlan: boolean;
}

/** The beginning of the JSON. logferry may write to a folder that has this file. */
export const OVERVIEW_MARK = '{\n  "format": "logferry batch"';

/** The overview as JSON, for programs. */
export function overviewJson({ roster, athletes, causes = [], now, version, isPlan }: OverviewFacts): string {
  const data = {
    format: "logferry batch",
    formatVersion: 1,
    writtenAt: new Date(now).toISOString(),
    writtenBy: version,
    roster,
    isPlan,
    causes,
    athletes: athletes.map(
      ({ outcome: { fingerprint: _mark, knownBy: _marks, at, ...outcome }, why, files, certificate }) => ({
        ...outcome,
        ...defined({ why, certificate: certificate && { canClose: certificate.canClose, says: certificate.says } }),
        at: new Date(at).toISOString(),
        files,
      }),
    ),
  };
  return `${JSON.stringify(data, undefined, 2)}\n`;
}

const GENERATOR = "logferry batch";

/** A reason may contain a very long word, which must break. */
const STYLE =
  "\n.todo div { overflow-wrap: anywhere; } td.text, th.text { min-width: 7rem; } .state { text-align: left; padding: 0.3125rem 0.5rem; } a { color: var(--accent); }\n";

/** The page. */
export function overviewPage(facts: OverviewFacts): string {
  const { roster, athletes, causes = [], now, version, isPlan } = facts;
  const good = athletes.filter(({ outcome }) => isDone(outcome)).length;
  // In a plan, a ready athlete may begin. After an import, an athlete who is still ready isn't done.
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
${certificates(athletes)}
${open.length > 0 && toLookAt(open)}
${assumedTimes(athletes)}
<section><h2>Everybody</h2><div class="scroll"><table><caption class="hidden">Athletes and how they stand</caption>
<thead><tr><th scope="col">Athlete</th><th scope="col" class="text">Log</th><th scope="col" class="state">State</th><th scope="col">Read</th><th scope="col">In the log</th><th scope="col">Left</th><th scope="col">To look at</th><th scope="col" class="text">Files</th></tr></thead>
<tbody>${athletes.map(row)}</tbody></table></div></section>
</main>
<footer><p>This page is for the coach: it names everybody. What is meant for an athlete is in their folder. It needs no network, runs no script, and holds no token. Written by logferry ${version}.</p></footer>
</body>
</html>
`.text;
}

/** Each cause once, sorted by its records, the most first, with the one command that helps everybody. */
function whyNot(causes: readonly Cause[]): Html {
  return html`<section class="card"><h2>Why records did not come over</h2><ol class="todo">${causes.map(
    ({ what, records, athletes, remedy }) =>
      html`<li><div><b>${counted(records, "record")} of ${athletes.join(", ")}</b>${what}<br>${remedy}</div></li>`,
  )}</ol></section>`;
}

/** Whose old account can be closed, and why the others' can't. */
function certificates(athletes: readonly OverviewAthlete[]): Html | false {
  const asked = athletes.filter(({ certificate }) => certificate !== undefined);
  if (asked.length === 0) return false;
  const closing = asked.filter(({ certificate }) => certificate?.canClose === true).length;
  const others = asked.filter(({ certificate }) => certificate?.canClose === false);
  return html`<section class="card"><h2>Can the old accounts be closed?</h2><p>Yes for ${number(closing)}, not yet for ${number(others.length)}, and no answer was asked for ${counted(athletes.length - asked.length, "athlete")}.</p>${
    others.length > 0 &&
    html`<ol class="todo">${others.map(
      ({ outcome, certificate }) =>
        html`<li><div><b>${outcome.athlete}</b>${sentences(certificate?.says ?? "")}</div></li>`,
    )}</ol>`
  }</section>`;
}

/** Whose workouts have a local time that nothing gives. */
function assumedTimes(athletes: readonly OverviewAthlete[]): Html | false {
  const items = athletes.flatMap(({ outcome: { athlete, assumedTimes: assumed } }) =>
    assumed === undefined
      ? []
      : [
          html`<li><div><b>${athlete}</b>${counted(assumed.workouts, "workout")} at ${utcText(assumed.offsetMinutes)}</div></li>`,
        ],
  );
  if (items.length === 0) return false;
  return html`<section class="card"><h2>Local times that are assumed</h2><p>Nothing gives the time zone of these workouts. Their local times use the offset of the log. If an athlete was somewhere else, say where in the column "zone" of the roster.</p><ol class="todo">${items}</ol></section>`;
}

function toLookAt(open: readonly OverviewAthlete[]): Html {
  return html`<section class="card"><h2>To look at</h2><ol class="todo">${open.map(
    ({ outcome, why }) =>
      html`<li><div><b>${outcome.athlete}</b>${sentences(why ?? ATHLETE_STATUSES[outcome.status].means)}</div></li>`,
  )}</ol></section>`;
}

/** Splits a reason into pieces that are short enough to be shown whole, because a long reason has its remedy at the end. */
function sentences(why: string): readonly string[] {
  return why.split(/(?<=[;.] )/);
}

function row({ outcome, files }: OverviewAthlete): Html {
  const { athlete, log, ledger, status } = outcome;
  const { word, isGood } = ATHLETE_STATUSES[status];
  const cell = (value: number | undefined) => html`<td>${value === undefined ? "–" : number(value)}</td>`;
  return html`<tr><th scope="row" class="text">${athlete}</th><td class="text">${log?.account}</td><td class="state ${isGood ? "good" : "bad"}">${word}</td>${cell(ledger?.read)}${cell(ledger && inLog(ledger))}${cell(ledger && leftOutside(ledger))}${cell(ledger && needsAttention(ledger))}<td class="text">${
    files.report !== undefined && html`<a href="${files.report}">report</a> `
  }${files.summary !== undefined && html`<a href="${files.summary}">summary</a> `}${files.certificate !== undefined && html`<a href="${files.certificate}">certificate</a>`}</td></tr>
`;
}
