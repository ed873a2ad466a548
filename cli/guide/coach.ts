/** "I coach several athletes": a roster to begin with, and what would be done for everybody. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { BACK } from "./asking.ts";
import { isOver, type Runner, take, typed, whole } from "./steps.ts";

/** Asks for the roster. @param folder where the guide was started @returns the last exit code, or BACK */
export async function coach(runner: Runner, folder: string): Promise<number | typeof BACK> {
  const { ask, home } = runner;
  const answer = await ask.type({
    question: "Which roster? It lists your athletes. A new one is made if it isn't there.",
    usual: "roster.csv",
    problem: (text) => (/\.(?:csv|ya?ml)$/i.test(text) ? undefined : "Its name ends in .csv, .yaml or .yml"),
  });
  if (answer === BACK) return BACK;
  const path = resolve(folder, whole(answer, home));
  if (!existsSync(path)) {
    if (!/\.csv$/i.test(path)) {
      ask.say(`There is no ${path}. For a new roster, name one that ends in .csv.`);
      return await coach(runner, folder);
    }
    const made = await take(runner, "It isn't there yet, so here is one to fill in.", {
      words: ["batch", "--template"],
      into: path,
    });
    if (!isOver(made)) return made;
    ask.say(
      `Open ${path} in a spreadsheet. It has two made-up athletes: write yours in their place, one a line. Then type logferry again, and name this roster. For all its columns:`,
      "logferry batch --help",
    );
    return made;
  }
  const dry = await take(runner, "All athletes are checked. Nothing is written.", {
    words: ["batch", path, "--dry-run"],
  });
  if (isOver(dry)) ask.say("To do it:", typed({ words: ["batch", path, "--report", "results"] }, home));
  return dry;
}
