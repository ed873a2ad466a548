/** Keeps the answers to questions that read all lines of a run, until somebody writes. The end of a run asks the same ones several times. */
import type { JournalDatabase } from "./database.ts";
import { sql } from "./sql.ts";

/** A question about a run. */
type Question<A> = (database: JournalDatabase, run: number) => A;

/** The answers for one state of the file. */
interface Answers {
  readonly state: string;
  readonly found: Map<string, unknown>;
}

const answers = new WeakMap<JournalDatabase, Answers>();

/**
 * The same question. It reads the lines once, and again after a write of this process or another one.
 *
 * @param ask gives data that nobody changes
 */
export function remembered<A>(name: string, ask: Question<A>): Question<A> {
  return (database, run) => {
    // What an open transaction has written may be taken back, and nothing tells of that.
    if (database.isInTransaction) return ask(database, run);
    const { found } = answersOf(database);
    const question = `${name} ${run}`;
    if (!found.has(question)) found.set(question, ask(database, run));
    return found.get(question) as A;
  };
}

function answersOf(database: JournalDatabase): Answers {
  const row = database.get(sql`SELECT total_changes() AS ours, data_version AS others FROM pragma_data_version`);
  const state = `${row?.ours} ${row?.others}`;
  const known = answers.get(database);
  if (known?.state === state) return known;
  const fresh = { state, found: new Map() };
  answers.set(database, fresh);
  return fresh;
}
