/** The records that are not simply in the log, by their state and the reason. Long lists fold. */
import type { Report, ReportRecord } from "../schema.ts";
import { type Html, html, whole } from "./html.ts";
import { counted, number, originText } from "./wording.ts";

/** Records with one state and one reason. Of many, only the first are listed. */
export interface RecordGroup {
  readonly state: ReportRecord["state"];
  readonly rule: string | undefined;
  readonly count: number;
  /** The meaning of the rule and the remedy, for rejected records. */
  readonly means: string | undefined;
  readonly remedy: string | undefined;
  readonly records: readonly ReportRecord[];
}

/** The most listed records of one reason. The JSON report has all. */
const LISTED = 200;

/** A group this short needs no folding. */
const OPEN = 5;

/** Groups the records by state and reason. The number of reasons limits the memory. */
export async function recordGroups(
  report: Report,
  records: AsyncIterable<ReportRecord>,
): Promise<readonly RecordGroup[]> {
  const listed = new Map<string, ReportRecord[]>();
  for await (const record of records) {
    const key = keyOf(record);
    const group = listed.get(key) ?? [];
    if (group.length === 0) listed.set(key, group);
    if (group.length < LISTED) group.push(record);
  }
  return report.reasons.map(({ state, rule, count, means, remedy }) => ({
    state,
    rule,
    count,
    means,
    remedy,
    records: listed.get(keyOf({ state, rule })) ?? [],
  }));
}

function keyOf({ state, rule }: { readonly state: string; readonly rule?: string | undefined }): string {
  return `${state} ${rule ?? ""}`;
}

interface SectionWords {
  readonly title: string;
  readonly text: string;
  readonly states: readonly ReportRecord["state"][];
}

/** The sections, in the order that a person should read them. */
const SECTIONS: readonly SectionWords[] = [
  {
    title: "Rejected, for you to look at",
    text: "Nothing was done with these. Each says where it stands in your archive, the ID to name it by, what was found there and what would have been right.",
    states: ["quarantined"],
  },
  {
    title: "Not in the log, or not with your values",
    text: "These were to be there and are not, or the log holds them with other values, or nobody knows.",
    states: ["refused", "failed", "in-doubt"],
  },
  {
    title: "No longer in the log",
    text: "These were loaded once, and the log no longer has them. Somebody took them out, or the log was put back to an older state.",
    states: ["gone"],
  },
  {
    title: "Left out by a rule",
    text: "These are no workouts, or you asked for them to be left out.",
    states: ["skipped"],
  },
  {
    title: "Duplicates, each loaded once",
    text: "A workout in two of your sources is one workout in the log, with what each of them knew of it. Here is who was taken for whom, and why.",
    states: ["merged"],
  },
];

/** The sections with content. @param completes completes the commands in the reasons that logferry itself gives */
export function recordSections(groups: readonly RecordGroup[], completes: Completes): readonly Html[] {
  return SECTIONS.flatMap(({ title, text, states }) => {
    const some = groups.filter(({ state }) => states.includes(state));
    const total = some.reduce((sum, { count }) => sum + count, 0);
    if (total === 0) return [];
    return [
      html`<section><h2>${title} <span class="muted">${number(total)}</span></h2><p>${text}</p><div>${some.map((group) => groupOf(group, completes))}</div></section>`,
    ];
  });
}

function groupOf(group: RecordGroup, completes: Completes): Html {
  const { state, rule, count, means, remedy, records } = group;
  // Other reasons hold words of the sources.
  const said = (reason: string) => (rule === "plan/dropped" ? completes(reason) : reason);
  const items = records.map(
    ({ id, origin, reason, kind, name }) =>
      html`<li><span class="where">${originText(origin)}${kind !== "workout" && kind !== "set-aside" && html` <span class="muted">${name ?? kind}</span>`}${SHOWS_ID.includes(state) && html` <code class="muted">${id}</code>`}</span>${reason !== undefined && html`<span class="why">${withoutRule(said(reason), rule)}</span>`}</li>`,
  );
  const isOpen = count <= OPEN && state !== "merged";
  return html`<details${isOpen && html` open`}><summary>${sentence(means) ?? rule ?? (state === "merged" ? "Pairs" : state)} <span class="muted">${counted(count, "record")}</span></summary>${remedy !== undefined && html`<p class="advice">${commandsIn(remedy)}</p>`}<ul class="records">${items}</ul>${count > records.length && html`<p class="small muted">The first ${number(records.length)} of ${number(count)}.</p>`}</details>`;
}

/** States of records that the command line names by their short id. */
const SHOWS_ID: readonly ReportRecord["state"][] = ["gone", "quarantined", "refused", "failed", "in-doubt"];

function sentence(text: string | undefined): string | undefined {
  return text && `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

/** Marks the commands in a sentence. */
export function commandsIn(text: string): readonly Html[] {
  return text.split(COMMAND).map((part, index) => (index % 2 === 1 ? html`<code>${whole(part)}</code>` : whole(part)));
}

/** Completes a command for the person who pastes it, such as with `--journal`. It takes and gives text. */
export type Completes = (text: string) => string;

/** Commands that nobody completes: they stay as they are. */
export const asItStands: Completes = (text) => text;

/** A command on a page, whole and marked as one. */
export function commandOf(command: string, completes: Completes): Html {
  return html`<code>${whole(completes(command))}</code>`;
}

const COMMAND =
  /(logferry [a-z]+(?: (?:retry|fix|drop)\b)?(?: ID\b| SOURCE\b| '[^']*'| \/[^\s']+| [\w-]{1,99}\.(?:zip|csv|tsv|txt|xlsx|ods|json|xml|fit|gpx|tcx)\b| [\w-]{1,99}(?= (?:[\w-]{1,99}\.[a-z]{2,4}\b|--[a-z]|\/))| --accept [\w=,-]{1,99}| --[a-z-]+(?: "[^"]*"| [A-Za-z]+[=/][\w=:/-]+| ID\b(?:=LOGID)?)?)*)/;

/** The reason without its leading rule, which is in the heading: `(sport is "Golf", expected ...)` without its brackets. */
function withoutRule(reason: string, rule: string | undefined): string {
  if (rule === undefined || !reason.startsWith(rule)) return reason;
  const rest = reason.slice(rule.length).replace(/^:?\s*/, "");
  return rest.startsWith("(") && rest.endsWith(")") ? rest.slice(1, -1) : rest === "" ? reason : rest;
}
