/** A certificate as one page to be read, printed and kept: no script, no address, no other file. */
import { utcText } from "../../transforms/calendar.ts";
import { describeProblem, withoutRule } from "../../transforms/model/issue.ts";
import { LOSS_CAUSES, LOSS_WORDS, type LossCause } from "../../transforms/model/loss-cause.ts";
import { type LeftColumn, leftColumns } from "../../transforms/model/unread.ts";
import { shellWord } from "../../transforms/text/shell.ts";
import { ROWS_AWAY } from "../journal/summary.ts";
import { frameOf, generatorOf } from "../report/page/frame.ts";
import { type Html, html } from "../report/page/html.ts";
import { asItStands, type Completes, commandOf, commandsIn } from "../report/page/records.ts";
import { activityTable, monthTable, yearTable } from "../report/page/tables.ts";
import { counted, dayText, instantText, number, originText, sizeText, withUnit } from "../report/page/wording.ts";
import { isHeld } from "./answer.ts";
import { classWord, keepsOpen } from "./classes.ts";
import type { Certificate, CertifiedRecord } from "./schema.ts";
import { fingerprintOf, type Signature } from "./signature.ts";

/** The mark of the page. logferry may replace a file that has it. */
export const GENERATOR = generatorOf("logferry certificate");

/** Records that the page names, at most. The JSON file has all. */
export const MOST_NAMED = 200;

/** What the page shows besides the certificate. */
export interface PageFacts {
  readonly signature: Signature;
  /** The first records that hold back the closing of the account. */
  readonly named: readonly CertifiedRecord[];
  /** The first records with values that somebody edited in the log, and that a run left so. */
  readonly edited: readonly CertifiedRecord[];
  /** The first workouts that the log had before and that lack values of the sources, or have others. */
  readonly beside: readonly CertifiedRecord[];
  /** The first records that a rule or a person left out. */
  readonly leftOut: readonly CertifiedRecord[];
  /** The name of the JSON file, without its folder. */
  readonly file: string;
  /** The same file with its whole path, for a command that works in any folder. */
  readonly path: string;
  /** Completes the commands that the page adds to those of the certificate. */
  readonly completes?: Completes | undefined;
}

/** The page of a certificate. */
export async function* certificatePage(certificate: Certificate, facts: PageFacts): AsyncIterable<string> {
  const { run, log, issuedAt } = certificate;
  const { completes = asItStands } = facts;
  const whose = log.account === undefined ? "the log" : `the log of ${log.account}`;
  yield frameOf(`Certificate of run ${run.number} into ${whose}: logferry`, "logferry certificate", STYLE).text;
  yield html`<header>
<p class="kicker">logferry certificate, run ${run.number}, issued ${instantText(issuedAt)}</p>
<h1>Can the old account be closed?</h1>
<p class="kicker">From ${certificate.inventory.sources.map(({ name }) => name).join(", ")} to ${whose}${log.service !== undefined && html` at ${log.service}`}</p>
</header>
<main>
${answer(certificate, completes)}
${classes(certificate)}
${heldBackRecords(certificate, facts)}
${editedRecords(facts)}
${besideSources(certificate, facts)}
${leftOutRecords(facts)}
${levels(certificate)}
${inventory(certificate)}
${since(certificate)}
<section><h2>What the sources had, and what the log has</h2>
${yearTable(certificate)}
${activityTable(certificate)}
${gear(certificate)}
<details><summary>Every month</summary>${monthTable(certificate)}</details></section>
${losses(certificate, completes)}
${toLookAt(certificate)}
${rules(certificate)}
${proof(facts)}
</main>
<footer><p>This page is one file: it needs no network, runs no script and tells nobody that you read it. It holds no token and no notes of workouts. Print it with your browser to get a PDF.</p></footer>
</body>
</html>
`.text;
}

const STYLE = `
@media print { details > * { display: block; } details::details-content { content-visibility: visible; } section { break-inside: avoid; } }
.scroll th, .scroll td { white-space: nowrap; overflow-wrap: normal; }
`;

function answer(certificate: Certificate, completes: Completes): Html {
  const { verdict } = certificate;
  const { canClose } = verdict;
  const upTo =
    verdict.cutOffFrom === "newest file"
      ? html`This speaks of what the account held until ${instantText(verdict.cutOff)}, the time of the newest file in the sources. What you recorded there later is not in them.`
      : html`The sources don’t say how old they are. This speaks of what they held on ${instantText(verdict.cutOff)}, when logferry read them.`;
  const last =
    verdict.newestWorkout === undefined
      ? ""
      : ` The newest workout in the sources is of ${dayText(verdict.newestWorkout)}. If you recorded a later one, it is not in them.`;
  const text = verdict.sentence.replace(/^(Yes|Not yet)[,:] (.)/, (_, _word, first: string) => first.toUpperCase());
  return html`<section class="answers" aria-label="The answer"><div class="answer ${canClose ? "good" : "wait"}"><h2>The answer</h2><p class="word ${canClose ? "good" : "wait"}">${canClose ? `Yes, up to ${instantText(verdict.cutOff)}` : "Not yet"}</p><p>${text}</p><p>${upTo}${last}</p>${assumed(certificate)}${others(certificate, completes)}</div></section>
${!canClose && verdict.obstacles.length > 0 && html`<section><h2>What is in the way</h2><ul class="todo">${verdict.obstacles.map(({ text: what, todo }) => html`<li><span><b>${what}</b> ${commandsIn(todo)}</span></li>`)}</ul></section>`}`;
}

/** Local times that no source gave may be hours off, and neither the log nor its reading back shows that. */
function assumed({ assumedTimes }: Certificate): Html | false {
  if (assumedTimes === undefined) return false;
  const { workouts, utcOffset } = assumedTimes;
  return html`<p>${counted(workouts, "workout")} ${workouts === 1 ? "has" : "have"} no known time zone. ${workouts === 1 ? "Its local time is" : "Their local times are"} assumed, at your log’s offset: ${utcText(utcOffset * 60)}. If you were somewhere else, import again with <code>--zone</code>.</p>`;
}

/** A person who imported an export in two parts must not take the answer about one for an answer about both. */
function others({ otherRuns = [] }: Certificate, completes: Completes): Html | false {
  if (otherRuns.length === 0) return false;
  const items = otherRuns.map(
    ({ run, at, sources, records, undone = 0, madeByUndone = 0 }) =>
      html`<li>run ${run} of ${dayText(at.slice(0, 10))}: ${sources.join(", ")}, ${counted(records, "record")}. ${undone > 0 && `${counted(undone, "record")} that it changed ${undone === 1 ? "was" : "were"} put back as before. `}${madeByUndone > 0 && `You undid it: ${counted(madeByUndone, "record")} that it made ${madeByUndone === 1 ? "is" : "are"} yours to take out of the log. `}${commandOf(`logferry certify --run ${run}`, completes)}</li>`,
  );
  return html`<p>The answer is about the sources named above. Other imports had other sources, and each has a certificate of its own:</p><ul>${items}</ul>`;
}

function classes({ classes: rows, inventory: { records }, isBalanced }: Certificate): Html {
  return html`<section><h2>Every record, in exactly one class</h2>
<table class="ledger"><caption class="hidden">Records by class</caption><thead><tr><th scope="col"><span class="hidden">Class</span></th><th scope="col">Records</th></tr></thead><tbody>${rows.map(
    ({ class: name, means, count }) =>
      html`<tr><th scope="row">${classWord(name)} <span class="means">${means}</span></th><td>${number(count)}</td></tr>`,
  )}</tbody><tfoot><tr><th scope="row">in the inventory</th><td>${number(records)}</td></tr></tfoot></table>
${
  isBalanced
    ? html`<p class="small muted">The classes add up to the ${counted(records, "record")} that were counted when the sources were read.</p>`
    : html`<p class="less">The classes don’t add up to the ${counted(records, "record")} that were counted when the sources were read. This is a bug: please report it.</p>`
}</section>`;
}

function heldBackRecords(certificate: Certificate, { named, file, completes = asItStands }: PageFacts): Html | false {
  if (named.length === 0) return false;
  const total = certificate.classes.reduce((sum, row) => sum + (keepsOpen(row.class) ? row.count : 0), 0);
  const isOpen = certificate.classes.some((row) => isHeld(certificate, row.class));
  const items = named.map(
    ({ class: name, origin, why, differs, id, logId }) =>
      html`<li><span class="where">${originText(origin)} <span class="muted">${classWord(name)}, ${logId === undefined ? commandOf(`logferry explain ${id}`, completes) : `workout or record ${logId} of the log`}</span></span><span class="why">${differs === undefined ? why : `differs in ${differs.join(", ")}`}</span></li>`,
  );
  return html`<section><h2>${isOpen ? "Records that keep the account open" : "Records that are not in the log, as your rule accepts"}</h2><ul class="records">${items}</ul>${total > named.length && html`<p class="small muted">These are the first ${number(named.length)} of ${number(total)}. ${file} has all.</p>`}</section>`;
}

/** The answer may be yes with these, so a person sees which values are not those of the sources. */
function editedRecords({ edited, file, completes = asItStands }: PageFacts): Html | false {
  if (edited.length === 0) return false;
  const items = edited.map(
    ({ origin, kind, logId, id, differs = [] }) =>
      html`<li><span class="where">${originText(origin)} <span class="muted">${kind} ${logId} of the log. Both values: ${commandOf(`logferry explain ${id} --check`, completes)}</span></span><span class="why">edited: ${differs.join(", ")}</span></li>`,
  );
  return html`<section><h2>Records that were edited in the log</h2><p>These values are not the ones that logferry sent. A check named them, or an import read them, and a later import left them so.</p><ul class="records">${items}</ul>${edited.length === MOST_NAMED && html`<p class="small muted">These are the first ${number(MOST_NAMED)}. ${file} has all.</p>`}</section>`;
}

/** Records that stay out for good are in the sources alone, so each is named with its reason. */
function leftOutRecords({ leftOut, file }: PageFacts): Html | false {
  if (leftOut.length === 0) return false;
  const items = leftOut.map(
    ({ class: name, origin, why }) =>
      html`<li><span class="where">${originText(origin)} <span class="muted">${classWord(name)}</span></span><span class="why">${why}</span></li>`,
  );
  return html`<section><h2>Records that stay out</h2><p>A rule left them out, or you did. They are in your sources alone, unless your log has one from before: that is said beside it.</p><ul class="records">${items}</ul>${leftOut.length === MOST_NAMED && html`<p class="small muted">These are the first ${number(MOST_NAMED)}. ${file} has all.</p>`}</section>`;
}

function besideSources({ notAdded }: Certificate, { beside, file, completes = asItStands }: PageFacts): Html | false {
  if (notAdded === undefined || beside.length === 0) return false;
  const names = (fields: readonly string[] | undefined, what: string) => fields && `${what} ${fields.join(", ")}`;
  const items = beside.map(({ origin, logId, id, lacks, keeps }) => {
    const parts = [names(lacks, "lacks"), names(keeps, "keeps its own")].filter((part) => part !== undefined);
    return html`<li><span class="where">${originText(origin)} <span class="muted">workout ${logId} of the log. Both values: ${commandOf(`logferry explain ${id} --check`, completes)}</span></span><span class="why">${parts.join("; ")}</span></li>`;
  });
  const rows = notAdded.fields.map(
    ({ field, lacking, differing }) =>
      html`<li>${field} <b>${number(lacking)}</b>${differing > 0 && ` (${number(differing)} differ)`}</li>`,
  );
  return html`<section><h2>Workouts that the log had before</h2>
<p>${counted(notAdded.workouts, "workout")} of them ${notAdded.workouts === 1 ? "lacks" : "lack"} values that the sources have. Other values that the log has stay there.</p>
<ul class="losses">${rows}</ul><ul class="records">${items}</ul>${beside.length === MOST_NAMED && html`<p class="small muted">These are the first ${number(MOST_NAMED)}. ${file} has all.</p>`}</section>`;
}

function levels({ levels: rows }: Certificate): Html {
  const word = (isReached: boolean | undefined) =>
    isReached === undefined ? "not tried" : isReached ? "reached" : "not reached";
  return html`<section><h2>How far it was checked</h2><ul class="records">${rows.map(
    ({ level, isReached, text }) =>
      html`<li><span class="where">${level}: ${word(isReached)}</span><span class="why">${text}</span></li>`,
  )}</ul></section>`;
}

function inventory({ inventory: { takenAt, isBeforeFirstWrite, sources } }: Certificate): Html {
  const when =
    takenAt === undefined
      ? "This run has no inventory of files: an older version of logferry carried it out. Its records were counted when it was planned."
      : isBeforeFirstWrite
        ? `Every file of the sources was listed with its hash on ${instantText(takenAt)}, before the first record was sent.`
        : `Every file of the sources was listed with its hash on ${instantText(takenAt)}. The first records were sent before that.`;
  const rows = sources.map(
    ({ name, connector, files, bytes, unread, sha256 }) =>
      html`<tr><th scope="row" class="text">${name}</th><td class="text">${connector}</td><td>${number(files)}</td><td>${sizeText(bytes)}</td><td>${number(unread.count)}</td><td class="text small"><code>${sha256.slice(0, 16)}</code></td></tr>`,
  );
  const unreadFiles = sources.flatMap(({ unread }) => unread.first);
  return html`<section><h2>The inventory</h2><p>${when}</p>
<div class="scroll" role="region" aria-label="Sources" tabindex="0"><table><caption class="hidden">Sources</caption><thead><tr><th scope="col" class="text">Source</th><th scope="col" class="text">Read as</th><th scope="col">Files</th><th scope="col">Size</th><th scope="col">Not read</th><th scope="col" class="text">Hash</th></tr></thead><tbody>${rows}</tbody></table></div>
${unreadFiles.length > 0 && html`<ul class="records">${unreadFiles.map(({ path, why }) => html`<li><span class="where">${path}</span><span class="why">${why}</span></li>`)}</ul>`}</section>`;
}

function since({ sinceThen: { added, changed, gone, unreadable } }: Certificate): Html {
  const part = (names: readonly string[], what: string) =>
    names.length > 0 &&
    html`<p><b>${counted(names.length, "file")} ${what}</b>: ${names.slice(0, 20).join(", ")}${names.length > 20 && " …"}</p>`;
  const isSame = added.length + changed.length + gone.length + unreadable.length === 0;
  return html`<section><h2>What changed in the sources since</h2>
${isSame && html`<p>Nothing: every file is as in the inventory, and none came later.</p>`}
${part(added, added.length === 1 ? "came later. It is not on this certificate" : "came later. They are not on this certificate")}
${part(changed, "changed since")}
${part(gone, added.length > 0 ? "went away since" : "went away since. Keep the sources until the account is closed")}
${unreadable.map(({ name, why }) => html`<p>What came later in ${name} is not known: ${why}.</p>`)}</section>`;
}

function gear({ gear: rows, log: { distanceUnit: unit } }: Certificate): Html | false {
  if (rows.length === 0) return false;
  return html`<table><caption>Shoes and bikes with another mileage in the log</caption><thead><tr><th scope="col" class="text">Name</th><th scope="col">Source</th><th scope="col">Log</th></tr></thead><tbody>${rows.map(
    ({ name, source, log }) =>
      html`<tr><th scope="row" class="text">${name}</th><td>${withUnit(source, unit)}</td><td>${withUnit(log, unit)}</td></tr>`,
  )}</tbody></table><p class="small muted">The log adds it up from its own workouts.</p>`;
}

/** Remarks about workouts that are in the log as the source has them: closing the account loses nothing of these. */
const TO_LOOK_AT: ReadonlySet<string> = new Set(["workout/zero-distance", "plan/start-corrected", ROWS_AWAY]);

/** What somebody may want to look at in the log. */
function toLookAt({ issues }: Certificate): Html | false {
  const odd = issues.filter(({ rule }) => TO_LOOK_AT.has(rule));
  if (odd.length === 0) return false;
  return html`<section><h2>What to look at in your log</h2>
<ul class="records">${odd.map(
    ({ rule, count, example }) =>
      html`<li><span class="where">${rule} <span class="muted">${counted(count, "time")}</span></span><span class="why">${withoutRule(describeProblem(example), rule)}</span></li>`,
  )}</ul></section>`;
}

function losses({ losses: fields, otherCopies = [], issues, run }: Certificate, completes: Completes): Html {
  const left = issues.filter(({ severity, rule }) => severity === "warning" && !TO_LOOK_AT.has(rule));
  const columns = issues.flatMap(({ example }) => leftColumns(example) ?? []);
  return html`<section><h2>What closing the account loses</h2>
${
  fields.length + otherCopies.length + left.length + columns.length === 0
    ? html`<p>Nothing that these sources hold. Keep them all the same.</p>`
    : html`<p>These values are in your sources alone. Keep the sources after the account is closed.</p>
${leftOutColumns(columns)}
${LOSS_CAUSES.map((cause) =>
  lossesBy(
    fields.filter(({ because = "no field" }) => because === cause),
    LOSS_WORDS[cause],
  ),
)}
${otherCopyValues(otherCopies)}
<ul class="records">${left.map(
        ({ rule, count, example }) =>
          html`<li><span class="where">${rule} <span class="muted">${counted(count, "time")}</span></span><span class="why">${withoutRule(describeProblem(example), rule)}</span></li>`,
      )}</ul>`
}
<p class="small muted">Each value in a file: ${commandOf(`logferry status --run ${run.number} --report loss.csv`, completes)}. What the account holds beyond its export, such as comments, nobody here has seen.</p></section>`;
}

/** The columns that the person's mapping file leaves out: nothing is wrong with them, and closing the account loses them all the same. */
function leftOutColumns(columns: readonly LeftColumn[]): Html | false {
  const count = columns.reduce((sum, { values }) => sum + values, 0);
  if (count === 0) return false;
  return html`<p>${counted(count, "value")} left out on purpose: your mapping file leaves out ${columns.length === 1 ? "this column" : "these columns"}.</p>
<ul class="losses">${columns.map(({ words, values }) => html`<li>${words} <b>${number(values)}</b></li>`)}</ul>`;
}

/** The values of copies that stay out, because the log has one value a field of each workout. */
function otherCopyValues(fields: NonNullable<Certificate["otherCopies"]>): Html | false {
  const count = fields.reduce((sum, each) => sum + each.count, 0);
  if (count === 0) return false;
  return html`<p>${counted(count, "value")} left out: another copy of the same workout has another value, which is kept.</p>
<ul class="losses">${fields.map((each) => html`<li>${each.field} <b>${number(each.count)}</b></li>`)}</ul>`;
}

/** The lost values that have one cause, with the cause in words. */
function lossesBy(fields: Certificate["losses"], words: (typeof LOSS_WORDS)[LossCause]): Html | false {
  const count = fields.reduce((sum, each) => sum + each.count, 0);
  if (count === 0) return false;
  return html`<p>${counted(count, "value")} left out: ${count === 1 ? words.one : words.several}.</p>
<ul class="losses">${fields.map((each) => html`<li>${each.field} <b>${number(each.count)}</b></li>`)}</ul>`;
}

function rules({ acceptance }: Certificate): Html {
  const { isOfPlan, rules: all, conditionsInWords: own = [], conditions = [], hash, earlier = [] } = acceptance;
  return html`<section><h2>When the answer is yes</h2><p>${
    isOfPlan
      ? "The plan fixed this rule before its first record was sent."
      : "The plan of this run has no such rule: an older version made it, or the rule was changed since. This is the rule of now."
  }${hash !== undefined && html` Its hash: <code>${hash.slice(0, 16)}</code>`}</p>
${earlier.map(({ run, at, conditions: then }) => html`<p class="less"><b>This rule is not the first one.</b> Run ${run} of ${dayText(at.slice(0, 10))} sent records of these sources ${then.length === 0 ? "by logferry’s rule alone" : html`by logferry’s rule with ${codes(then)}`}.</p>`)}
${own.length > 0 && html`<p>You added (${codes(conditions)}), and this goes before the rule of logferry:</p><ul>${own.map((one) => html`<li>${one}</li>`)}</ul><p>The rule of logferry:</p>`}
<ul>${all.map((rule) => html`<li>${rule}</li>`)}</ul></section>`;
}

function codes(words: readonly string[]): Html {
  return html`${words.map((word, index) => html`${index > 0 && ", "}<code>--accept ${word}</code>`)}`;
}

function proof({ signature, file, path, completes = asItStands }: PageFacts): Html {
  return html`<section><h2>The proof</h2>
<p><code>${file}</code> has every record with its hash, and a signature. Check it at any time, against the log or against a backup:</p>
<p>${commandOf(`logferry certify --check ${shellWord(path)}`, completes)}</p>
<p>Write this fingerprint of the key down. A file that somebody changed and signed anew has another one: <b>${fingerprintOf(signature.publicKey)}</b></p></section>`;
}
