/**
 * A report as one page that needs nothing else: no script, no address, no other file. First it answers a nervous person's questions: is it
 * done, is it good, can the old account be closed? Then it shows the years, and then every record that isn't simply in the log.
 */
import { utcText } from "../../../transforms/calendar.ts";
import { describeProblem, withoutRule } from "../../../transforms/model/issue.ts";
import { LOSS_CAUSES, LOSS_WORDS } from "../../../transforms/model/loss-cause.ts";
import { describeLost } from "../../../transforms/model/lost-file.ts";
import { inLog, lostByKind, needsAttention } from "../../journal/summary.ts";
import { isGone, otherwiseThanPlanned, sidesOf } from "../../log/describe-difference.ts";
import type { Report, ReportRecord } from "../schema.ts";
import { describeShared } from "../shared-records.ts";
import { monthChart } from "./chart.ts";
import { frameOf, generatorOf } from "./frame.ts";
import { type Html, html } from "./html.ts";
import { mapsOf } from "./map.ts";
import {
  asItStands,
  type Completes,
  commandOf,
  commandsIn,
  type RecordGroup,
  recordGroups,
  recordSections,
} from "./records.ts";
import { activityTable, ledgerTable, monthTable, yearTable } from "./tables.ts";
import { counted, hours, instantText, monthName, number, originText, sizeText, span, withUnit } from "./wording.ts";

/** A mark in the head of every page. logferry may replace a file that has this mark. */
export const GENERATOR = generatorOf("logferry report");

/**
 * The page, in a few chunks.
 *
 * @param completes completes the commands that the page adds to those of the report
 */
export async function* pageOf(
  report: Report,
  records: () => AsyncIterable<ReportRecord>,
  completes: Completes = asItStands,
): AsyncIterable<string> {
  const groups = await recordGroups(report, records());
  yield frameOf(titleOf(report), "logferry report").text;
  yield head(report).text;
  yield html`<main>
${answers(report, completes)}
${todo(report)}
${years(report)}
${map(report)}
${ledger(report)}
${recordSections(groups, completes)}
${differences(report, completes)}
${losses(report, completes)}
${notAdded(report)}
${filled(report)}
${times(report)}
${remarks(report)}
${sources(report)}
</main>
`.text;
  yield `${foot(report, groups, completes).text}\n</body>\n</html>\n`;
}

function titleOf({ run, log }: Report): string {
  const whose = log.account === undefined ? "" : ` into the log of ${log.account}`;
  return `Run ${run.number}${whose}: logferry report`;
}

function head(report: Report): Html {
  const { log, run, sources: from } = report;
  const into = log.account === undefined ? "the log" : `the log of ${log.account}`;
  const isPlan = run.state === "planned";
  const when = instantText(run.finishedAt ?? run.plannedAt);
  return html`<header>
<p class="kicker">logferry report, run ${run.number}, ${when}</p>
<h1>${isPlan ? "A plan for" : "What was carried into"} ${into}</h1>
<p class="kicker">From ${from.map(({ name }) => name).join(", ")}${log.service !== undefined && html` to ${log.service}`}</p>
</header>
`;
}

type Look = "good" | "wait" | "bad";

function answer(question: string, look: Look, word: string, text: Html | string): Html {
  return html`<div class="answer ${look}"><h2>${question}</h2><p class="word ${look}">${word}</p><p>${text}</p></div>`;
}

function answers(report: Report, completes: Completes): Html {
  const { verdict } = report;
  return html`<section class="answers" aria-label="In short">
${isItDone(report)}
${isItGood(report, completes)}
${answer(
  "Can the old account be closed?",
  verdict.canClose ? "good" : "wait",
  verdict.canClose ? "Yes" : "Not yet",
  verdict.sentence.replace(/^(Yes|Not yet)[,:] (.)/, (_, _word, first: string) => first.toUpperCase()),
)}
</section>`;
}

function isItDone({ run, ledger: all, byKind, look, verdict, isBalanced }: Report): Html {
  const rejectedCount = needsAttention(all) - all.gone;
  const question = "Is it done?";
  const { dropped = 0 } = all;
  const byRule = all.skipped - dropped;
  const more = look?.surplus.reduce((sum, { count }) => sum + count, 0) ?? 0;
  const others = [
    more > 0 && `The log holds ${number(more)} more than was loaded`,
    all.gone > 0 && `${number(all.gone)} ${all.gone === 1 ? "is" : "are"} no longer in the log`,
    byRule > 0 && `${number(byRule)} ${byRule === 1 ? "was" : "were"} left out by a rule`,
    dropped > 0 && `${number(dropped)} ${dropped === 1 ? "was" : "were"} left out by you`,
    rejectedCount > 0 && `${number(rejectedCount)} ${rejectedCount === 1 ? "needs" : "need"} your attention`,
    ...describeLost(lostByKind({ byKind }), "went").map(({ text }) => text),
  ].filter((part) => part !== false);
  const once = look?.isSure === true && more === 0 && look.before === undefined ? ", each once" : "";
  const text = `${number(inLog(all))} of ${counted(all.read, "record")} are in the log${describeShared({ all, byKind })}${once}${others.map((part) => `. ${part}`).join("")}.`;
  if (!isBalanced)
    return answer(question, "bad", "Unknown", "Some records are not accounted for. This is a bug: please report it.");
  if (run.state === "planned") {
    return answer(
      question,
      "wait",
      "Not begun",
      `${counted(all.left, "record")} of ${number(all.read)} would be written. Nothing was changed.`,
    );
  }
  if (run.state === "superseded")
    return answer(question, "wait", "Replaced", "A later plan took the place of this run.");
  if (verdict.isDone) return answer(question, "good", "Yes", text);
  return answer(
    question,
    "wait",
    run.state === "running" ? "Under way" : "Not yet",
    `${text} ${counted(all.left + all.inDoubt + all.gone, "record")} to go.`,
  );
}

function isItGood({ verification: found, verdict, log }: Report, completes: Completes): Html {
  const question = "Is it good?";
  if (found === undefined) {
    return answer(
      question,
      "wait",
      "Not proven yet",
      html`Nothing was read back yet. ${commandOf("logferry verify", completes)} does.`,
    );
  }
  const when = instantText(found.at);
  const wrong = found.differing + found.claimedTwice + (found.doubled ?? 0);
  if (wrong > 0) {
    return answer(
      question,
      "bad",
      "Look at it",
      `Read back on ${when}: ${number(wrong)} of ${counted(found.checked, "record")} not as planned.`,
    );
  }
  const text = `Read back on ${when}: ${counted(found.checked, "record")}, every field as planned${otherwiseThanPlanned(found.edited ?? 0, found.putBack ?? 0)}; ${withUnit(found.metres.found, log.distanceUnit)} and ${span(found.seconds.found)} as they should be.`;
  if (found.unread > 0) {
    return answer(
      question,
      "wait",
      "Not proven yet",
      `Read back on ${when}: ${counted(found.checked, "record")}, every field as planned${otherwiseThanPlanned(found.edited ?? 0, found.putBack ?? 0)}. ${counted(found.unread, "record")} could not be read.`,
    );
  }
  if (!found.isCurrent) return answer(question, "wait", "Not proven yet", `${text} The run went on since.`);
  return answer(question, verdict.isDone ? "good" : "wait", verdict.isDone ? "Yes, verified" : "So far", text);
}

/** The next steps, each with its reason. */
function todo({ verdict, losses: lost }: Report): Html {
  const steps = verdict.obstacles.map(
    ({ text, todo: what }) => html`<li><div><b>${text}</b>${commandsIn(what)}</div></li>`,
  );
  const keep =
    lost.length === 0
      ? "Keep your export all the same: a copy of one's own costs nothing, and what an account holds beyond its export nobody here has seen."
      : "Keep your export, also when the old account is closed: it holds what is not in the log (see below), and photos and comments if it has any.";
  return html`<section class="card"><h2>What to do next</h2><ol class="todo">${steps}<li><div><b>keep the archives</b>${keep}</div></li></ol></section>`;
}

function years(report: Report): Html | false {
  const { totals, log, byMonth, run } = report;
  if (totals.read.workouts === 0) return false;
  const isPlan = run.state === "planned";
  const { workouts, metres, seconds } = isPlan ? totals.read : totals.inLog;
  const months = byMonth.flatMap(({ month }) => month ?? []);
  const [first, last] = [months[0], months.at(-1)];
  return html`<section><h2>The years</h2>
<dl class="figures"><div><dt>Workouts ${isPlan ? "to be in the log" : "in the log"}</dt><dd>${number(workouts)}</dd></div><div><dt>Distance</dt><dd>${withUnit(metres, log.distanceUnit)}</dd></div><div><dt>Time</dt><dd>${hours(seconds)} h</dd></div>${first !== undefined && last !== undefined && html`<div><dt>From ${monthName(first)} to</dt><dd>${monthName(last)}</dd></div>`}</dl>
<div class="card">${monthChart(report)}</div>
<div class="pair">${activityTable(report)}${yearTable(report)}</div>
<details><summary>Every month</summary>${monthTable(report)}</details></section>`;
}

function map(report: Report): Html | false {
  const maps = mapsOf(report);
  if (maps === undefined || report.places === undefined) return false;
  return html`<section><h2>Where it began</h2>
<p>${placesText(report, report.places.workouts)} A circle is larger the more workouts began there.</p>
${maps}
<p class="small muted">Places are rounded to about a kilometre, and no route is drawn; still the largest circle is most likely a home. Before you pass this page on, <code>--no-places</code> writes it without this part.</p></section>`;
}

function placesText({ totals, run }: Report, known: number): string {
  const all = run.state === "planned" ? totals.read.workouts : totals.inLog.workouts;
  const others = all - known;
  const files =
    known === 1
      ? "The device file of 1 workout says where it"
      : `The device files of ${counted(known, "workout")} say where they`;
  return `${files} began${others > 0 ? `; of the other ${number(others)} nobody knows` : ""}.`;
}

function ledger(report: Report): Html {
  return html`<section><h2>Where every record ended</h2>${ledgerTable(report)}</section>`;
}

const DIFFERENCES_SHOWN = 50;

function differences({ verification: found }: Report, completes: Completes): Html | false {
  if (found === undefined || found.examples.length === 0) return false;
  const rows = found.examples.slice(0, DIFFERENCES_SHOWN).map(
    ({ kind, id, origin, differences: fields }) =>
      html`<li><span class="where">${originText(origin)} <span class="muted">${kind} ${id}</span></span><span class="why">${
        fields.length === 0 || fields.some(isGone)
          ? "is not in the log"
          : fields
              .map((one) => {
                const { expected, found: there } = sidesOf(one);
                return `${one.field} is ${shown(there)}, planned ${shown(expected)}`;
              })
              .join("; ")
      }</span></li>`,
  );
  return html`<section><h2>Not as planned</h2><p>Found when the log was read back on ${instantText(found.at)}. Somebody may have edited these records there.</p><ul class="records">${rows}</ul>${found.differing > rows.length && html`<p class="small muted">The first ${number(rows.length)} of ${number(found.differing)}; ${commandOf("logferry verify --verbose", completes)} lists all.</p>`}</section>`;
}

function shown(text: string): string {
  return text.length <= 80 ? text : `${text.slice(0, 79)}…`;
}

function losses({ losses: lost, otherCopies = [], run }: Report, completes: Completes): Html | false {
  if (lost.length + otherCopies.length === 0) return false;
  const part = (fields: readonly Count[], words: string) =>
    fields.length > 0 &&
    html`<p>${counted(sumOf(fields), "value")} ${words}</p>
<ul class="losses">${fields.map(({ field, count }) => html`<li>${field} <b>${number(count)}</b></li>`)}</ul>`;
  return html`<section><h2>What is not in the log</h2>
${LOSS_CAUSES.map((cause) =>
  part(
    lost.filter(({ because = "no field" }) => because === cause),
    `stayed in your archives: ${LOSS_WORDS[cause].several}.`,
  ),
)}
${part(otherCopies, "of duplicates' other copies differ from the copies that are kept.")}
<p>To have each of them in a file: ${commandOf(`logferry status --run ${run.number} --report loss.csv`, completes)}</p></section>`;
}

/** The number of values of one field. */
type Count = Report["losses"][number];

function sumOf(fields: readonly Count[]): number {
  return fields.reduce((sum, { count }) => sum + count, 0);
}

function notAdded({ notAdded: fields }: Report): Html | false {
  if (fields === undefined) return false;
  const items = fields.map(
    ({ field, lacking, differing }) =>
      html`<li>${field} <b>${number(lacking + differing)}</b>${differing > 0 && ` (${number(differing)} differ)`}</li>`,
  );
  return html`<section><h2>What was not added</h2>
<p>Your log had these workouts already, and keeps what it has. So these values stayed in your archives.</p>
<ul class="losses">${items}</ul></section>`;
}

function filled({ filled: fields, run }: Report): Html | false {
  if (fields === undefined) return false;
  const verb = run.state === "planned" ? "are to be filled" : "are filled";
  return html`<section><h2>Blank fields that ${verb}</h2>
<p>Your log had these workouts already. Only fields without a value there get one.</p>
<ul class="losses">${fields.map(({ field, count }) => html`<li>${field} <b>${number(count)}</b></li>`)}</ul></section>`;
}

function times({ assumedTimes, run }: Report): Html | false {
  if (assumedTimes === undefined) return false;
  const { workouts, utcOffset, titles, contradicting, example } = assumedTimes;
  const isPlan = run.state === "planned";
  const named =
    titles === 0
      ? ""
      : contradicting === 0
        ? ` All ${number(titles)} titles that name a time of day fit.`
        : ` ${number(contradicting)} of ${counted(titles, "title")} that name a time of day don’t fit.`;
  return html`<section><h2>Local times that may be wrong</h2>
<p>${counted(workouts, "workout")}: the source gives neither a time zone nor a position. The local times use the log’s offset, ${utcText(utcOffset * 60)}. For example, ${originText(example.origin)} ${isPlan ? "would start" : "starts"} at ${example.time.slice(0, 5)} on ${example.date}.${named}</p>
<p>If you were somewhere else: give your own time zone, such as <code>--zone Europe/Vienna</code>.</p></section>`;
}

function remarks({ issues }: Report): Html | false {
  // An error rejected its record, and the list of rejected records shows it.
  const rows = issues.filter(({ severity }) => severity === "warning");
  if (rows.length === 0) return false;
  const items = rows.map(({ rule, count, example }) => {
    const { origin } = example;
    const what = withoutRule(describeProblem(example), rule);
    return html`<li><span class="where">${rule} <span class="muted">${counted(count, "time")}</span></span><span class="why">${origin !== undefined && html`${count > 1 && "such as "}${originText(origin)}: `}${what !== rule && what}</span></li>`;
  });
  return html`<section><h2>Remarks</h2><p>Something was left out or repaired; these records went on all the same.</p><ul class="records">${items}</ul></section>`;
}

function sources({ sources: from, run, log, writtenAt, writtenBy }: Report): Html {
  const rows = from.map(
    ({ name, connector, saw, sizeBytes, ledger: { read } }) =>
      html`<tr><th scope="row" class="text">${name}</th><td class="text">${connector} <span class="muted small">${saw}</span></td><td>${number(read)}</td><td>${sizeBytes === undefined ? "–" : sizeText(sizeBytes)}</td></tr>`,
  );
  const fact = (term: string, text: string | undefined | false) =>
    text !== undefined && text !== false && html`<div><dt>${term}</dt><dd>${text}</dd></div>`;
  return html`<section><h2>From where, when and by what</h2>
<table><caption class="hidden">Sources</caption><thead><tr><th scope="col" class="text">Source</th><th scope="col" class="text">Read as</th><th scope="col">Records</th><th scope="col">Size</th></tr></thead><tbody>${rows}</tbody></table>
<dl class="facts">
${fact("Log", log.account !== undefined && `${log.account}${log.service === undefined ? "" : ` at ${log.service}`}`)}
${fact("Planned", `${instantText(run.plannedAt)}${run.plannedBy === undefined ? "" : ` by logferry ${run.plannedBy}`}`)}
${fact("Sent", run.sentFrom !== undefined && run.sentUntil !== undefined && sentText(run.sentFrom, run.sentUntil))}
${fact("Requests", run.requests !== undefined && number(run.requests))}
${fact("Finished", run.finishedAt !== undefined && run.state === "finished" && instantText(run.finishedAt))}
${fact("Report written", `${instantText(writtenAt)} by logferry ${writtenBy}`)}
</dl></section>`;
}

function sentText(from: string, until: string): string {
  const seconds = (Date.parse(until) - Date.parse(from)) / 1000;
  return `${instantText(from)}, the last one ${span(seconds)} later`;
}

function foot({ run }: Report, groups: readonly RecordGroup[], completes: Completes): Html {
  const isCut = groups.some(({ count, records }) => count > records.length);
  return html`<footer><p>This page is one file: it needs no network, runs no script and tells nobody that you read it. ${isCut && html`Long lists are cut here; ${commandOf(`logferry status --run ${run.number} --report report.json`, completes)} writes all of it. `}It holds no token and no notes of workouts.</p></footer>`;
}
