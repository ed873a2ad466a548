/**
 * Sees that somebody else loads the same log. Where a token tells nothing of its owner, two batches may reach one log by two names of its host and two names
 * of its person, and no claim tells them apart from two logs. So a load sends its first workout alone, and counts the log before anything else follows.
 */
import { FatalError } from "../../connectors/errors.ts";
import type { Sink } from "../../connectors/sink.ts";
import { type LogView, NAMELESS } from "../../pipelines/log/log-view.ts";

/** The code of the error that ends a load of a log into which somebody else loads. */
export const OTHER_WRITER = "log/other-writer";

/** What is asked of a session. */
export interface Watched {
  readonly view: { readonly account: { readonly name: string } } & Pick<LogView, "page">;
  readonly sink: Sink;
  readonly signal: AbortSignal;
}

/**
 * The same session; for a log without a name, with a sink that sends the first workout alone. Of two loads that begin at once, at least the one whose
 * workout comes later sees the other's.
 *
 * @returns the session itself where the token tells its owner, or the log doesn't count its workouts
 * @throws as the first page of the log's list does. The sink throws a FatalError `log/other-writer`, and has sent no second workout then
 */
export async function firstAlone<T extends Watched>(session: T): Promise<T> {
  const { view, sink, signal } = session;
  if (view.account.name !== NAMELESS) return session;
  const total = async () => (await view.page?.(0, signal))?.total;
  const before = await total();
  return before === undefined ? session : { ...session, sink: watching(sink, before, total) };
}

/** @param before the number of workouts in the log; `total` counts them again */
function watching(sink: Sink, before: number, total: () => Promise<number | undefined>): Sink {
  let mostMade: Promise<number> | undefined;
  let looked: Promise<void> | undefined;
  const look = async (most: Promise<number>) => {
    const now = await total();
    if (now !== undefined && now > before + (await most)) throw new FatalError(OTHER_WRITER, "locked", WORDS);
  };
  /** @param most how many workouts a request made; of a file without an answer nobody knows */
  const send = async <R>(request: () => Promise<R>, most: (made: R | undefined) => number): Promise<R> => {
    if (mostMade === undefined) {
      const first = request();
      mostMade = first.then(most, () => most(undefined));
      return await first;
    }
    const made = mostMade;
    looked ??= made.then(() => look(made));
    await looked;
    return await request();
  };
  return {
    ...sink,
    create: (kind, body, signal) =>
      kind === "workout"
        ? send(
            () => sink.create(kind, body, signal),
            () => 1,
          )
        : sink.create(kind, body, signal),
    importFile: (format, bytes, signal) =>
      send(
        () => sink.importFile(format, bytes, signal),
        (ids) => ids?.length ?? Number.POSITIVE_INFINITY,
      ),
  };
}

const WORDS =
  "somebody else puts workouts into this log at the same moment, and its access token doesn't tell whose log it opens. At most one workout was sent. Look whether another roster has the same person, wait until its load is over, then run the same batch again";
