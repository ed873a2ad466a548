/** A journal whose lines end when a person stops the command. */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Journal } from "../../journal/journal.ts";

/** Lines between two turns of the event loop. The handler of Ctrl-C runs only in such a turn, and the database never waits for one. */
const LINES_A_TURN = 500;

/** The same journal. Its lines throw the reason of the signal once that is aborted. */
export function stoppableJournal(journal: Journal, signal: AbortSignal): Journal {
  async function* lines(run: number, filter: Parameters<Journal["lines"]>[1]) {
    let given = 0;
    for await (const line of journal.lines(run, filter)) {
      if (++given % LINES_A_TURN === 0) await nextTurn();
      signal.throwIfAborted();
      yield line;
    }
  }
  return { ...journal, lines: lines as Journal["lines"] };
}
