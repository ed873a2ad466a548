/**
 * Carries answers about pairs to rows that were edited. The key of a row is made of all its cells. An edit of its notes is none of what a pair is
 * compared by, so the answer is still about the row that stands in the same place, with the same start, sport, distance and duration.
 */
import { describeOrigin } from "../../../transforms/model/issue.ts";
import type { Journal } from "../../journal/journal.ts";
import type { AnsweredRecord, PairAnswer } from "../../journal/links.ts";
import { placeOfSource } from "../../journal/run.ts";
import type { ComparisonContext } from "../compare/comparison.ts";
import { changeOf, type PairAnswers, placeInSource } from "../pairs/pair-answers.ts";

/** Most rows that the remark names. */
const MOST_NAMED = 6;

/** Gives the answers of edited rows to their new keys, in the journal too. The plan names the rows. */
export async function carryAnswers(
  run: number,
  pairs: PairAnswers,
  { journal, sources, report }: Pick<ComparisonContext, "journal" | "sources" | "report">,
): Promise<void> {
  // A retry reads single records, so all others seem to be gone.
  if (pairs.all.length === 0 || (await journal.run(run))?.options.retryOf !== undefined) return;
  const places = new Set(sources.map(placeOfSource));
  const lost = new Map<string, AnsweredRecord>();
  for (const record of pairs.all.flatMap(({ records }) => records))
    if (places.has(record.place) && (await journal.lineWithKey(run, record.key)) === undefined)
      lost.set(`${record.place}\n${placeInSource(record.origin)}\n${record.key}`, record);
  if (lost.size === 0) return;
  const byPlace = Map.groupBy(lost.values(), ({ place, origin }) => `${place}\n${placeInSource(origin)}`);
  const moved = new Map<string, string>();
  const carried: string[] = [];
  for await (const { key, seq, source, origin } of journal.links.workouts(run)) {
    const from = sources[source];
    const here = from && byPlace.get(`${placeOfSource(from)}\n${placeInSource(origin)}`);
    if (here === undefined) continue;
    const { asRead } = await journal.auditTrail.details(run, seq);
    const same = here.filter((record) => asRead !== undefined && changeOf(record, asRead) === undefined);
    for (const record of same) moved.set(record.key, key);
    if (same.length > 0) carried.push(describeOrigin(origin));
  }
  if (moved.size === 0) return;
  await renameIn(journal, pairs, moved);
  const more = carried.length > MOST_NAMED ? `, and ${carried.length - MOST_NAMED} more` : "";
  await report({
    severity: "info",
    rule: "plan/answers-carried",
    found: `edited since your answer, with the same start, sport, distance and duration: ${carried.slice(0, MOST_NAMED).join(", ")}${more}`,
    expected: "nothing to do: the answer is kept for the edited row",
  });
}

async function renameIn(journal: Journal, pairs: PairAnswers, moved: ReadonlyMap<string, string>): Promise<void> {
  const now = (key: string) => moved.get(key) ?? key;
  for (const answer of pairs.all) {
    const [one, other] = answer.records;
    if (!moved.has(one.key) && !moved.has(other.key)) continue;
    const renamed: PairAnswer = {
      ...answer,
      records: [
        { ...one, key: now(one.key) },
        { ...other, key: now(other.key) },
      ],
      take: Object.fromEntries(Object.entries(answer.take).map(([field, key]) => [field, now(key)])),
    };
    await journal.links.forgetAnswer(one.key, other.key);
    await journal.links.keepAnswer(renamed);
  }
  pairs.replace(await journal.links.answers());
}
