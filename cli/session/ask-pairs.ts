/** Asks on a terminal about one doubtful pair after the other. */
import { canChoose, canTake, type Decision, type ReviewedPair, whyNoChoice } from "../../pipelines/review/pairs.ts";
import { describeSide, pairLines, whyLines } from "../printing/print-pairs.ts";
import type { Lines } from "../terminal/ask-lines.ts";
import { count } from "../terminal/output.ts";

/** A terminal: what a person types, and where logferry asks. */
export interface Terminal {
  readonly lines: Lines;
  readonly say: (...lines: readonly string[]) => void;
}

const QUESTION =
  "s same workout, t two workouts, m merge and choose fields, w why?, a all like this, b back, q quit. Enter skips.";

/** What a person may type, and the word for it. */
const WORDS: Readonly<Record<string, string>> = {
  s: "same",
  one: "same",
  t: "two",
  m: "merge",
  w: "why",
  "why?": "why",
  a: "all",
  b: "back",
  q: "quit",
  "": "skip",
};

/**
 * Asks about each pair until the last one, or until the person quits.
 *
 * @param decide keeps an answer about these pairs, at once; or says why it can't, and keeps nothing. Then the pair is asked about again
 */
export async function askPairs(
  pairs: readonly ReviewedPair[],
  { lines, say }: Terminal,
  decide: (about: readonly ReviewedPair[], decision: Decision) => Promise<string | undefined>,
): Promise<void> {
  const answered = new Map<string, Decision["answer"]>();
  const keep = async (about: readonly ReviewedPair[], decision: Decision): Promise<boolean> => {
    const refusal = await decide(about, decision);
    if (refusal !== undefined) {
      say(`${refusal}.`);
      return false;
    }
    for (const { id } of about) answered.set(id, decision.answer);
    return true;
  };
  for (let at = 0; at < pairs.length; ) {
    const pair = pairs[at] as ReviewedPair;
    const before = answered.get(pair.id);
    say("", `Pair ${at + 1} of ${count(pairs.length)}${before === undefined ? "" : ` (you said ${before})`}:`);
    say(...pairLines(pair));
    const word = await askWord(pair, { lines, say });
    if (word === undefined || word === "quit") return;
    if (word === "back") {
      at = Math.max(0, at - 1);
      continue;
    }
    let isKept = true;
    if (word === "same" || word === "two") isKept = await keep([pair], { answer: word === "two" ? "two" : "one" });
    if (word === "merge" && !canChoose(pair)) {
      say(`There are no fields to choose: ${whyNoChoice(pair)}. Type s or t.`);
      continue;
    }
    if (word === "merge") {
      const take = await askFields(pair, { lines, say });
      if (take === undefined) return;
      if (take === "back") continue;
      isKept = await keep([pair], { answer: "one", take });
    }
    if (word === "all") {
      const alike = pairs.filter(({ kind, id }) => kind === pair.kind && (id === pair.id || !answered.has(id)));
      const answer = await askAll(alike.length, { lines, say });
      if (answer === undefined) continue;
      isKept = await keep(alike, { answer });
    }
    if (!isKept) continue;
    at++;
    while (word === "all" && at < pairs.length && answered.has(pairs[at]?.id ?? "")) at++;
  }
}

/** @returns undefined at the end of the input */
async function askWord(pair: ReviewedPair, { lines, say }: Terminal): Promise<string | undefined> {
  for (;;) {
    say(QUESTION);
    const typed = (await lines.next())?.toLowerCase();
    if (typed === undefined) return undefined;
    const word = Object.hasOwn(WORDS, typed) ? WORDS[typed] : typed;
    if (word === "why") say(...whyLines(pair));
    else if (Object.values(WORDS).includes(word ?? "")) return word;
    else say("Type one of these letters and press Enter.");
  }
}

/** The side of each differing field; `back` to ask about the pair again; undefined at the end of the input. */
async function askFields(
  { fields }: ReviewedPair,
  { lines, say }: Terminal,
): Promise<Readonly<Record<string, "left" | "right">> | "back" | undefined> {
  const take: Record<string, "left" | "right"> = {};
  for (const field of fields.filter((one) => one.differs && canTake(one, "left") && canTake(one, "right"))) {
    say(
      `${field.field}: l ${describeSide(field, "left")}, r ${describeSide(field, "right")}. Enter leaves it to logferry's rule, b goes back.`,
    );
    for (;;) {
      const typed = (await lines.next())?.toLowerCase();
      if (typed === undefined) return undefined;
      if (["b", "back", "q", "quit"].includes(typed)) return "back";
      const side = ["l", "left"].includes(typed) ? "left" : ["r", "right"].includes(typed) ? "right" : undefined;
      if (side !== undefined) take[field.field] = side;
      if (side !== undefined || typed === "") break;
      say("Type l, r, b or Enter.");
    }
  }
  return take;
}

/** One answer for all; undefined for none. */
async function askAll(pairs: number, { lines, say }: Terminal): Promise<Decision["answer"] | undefined> {
  say(
    `${count(pairs)} ${pairs === 1 ? "pair" : "pairs"} of these sources differ like this. s same, t two. Enter goes back.`,
  );
  const typed = (await lines.next())?.toLowerCase() ?? "";
  const word = WORDS[typed] ?? typed;
  return word === "same" ? "one" : word === "two" ? "two" : undefined;
}
