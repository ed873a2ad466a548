/** What a piece of work tells of itself while it runs: its parts and its requests. A worker of a fleet makes spans of them. */
import type { Fetcher } from "../../connectors/api/exchange.ts";

/** The trace of a piece of work. */
export interface Trace {
  /**
   * Does a part of the work, and notes when it began and ended, and whether it threw. Parts follow each other.
   *
   * @param name for people: `read back`
   */
  part<T>(name: string, body: () => Promise<T>): Promise<T>;
  /**
   * A fetcher that notes each request as a piece of the part that is under way.
   *
   * @param url the base URL of the log
   */
  requests(fetcher: Fetcher, url: string): Fetcher;
}

/** Notes nothing. */
export const UNTRACED: Trace = { part: (_, body) => body(), requests: (fetcher) => fetcher };
