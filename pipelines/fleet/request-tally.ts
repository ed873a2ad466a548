/**
 * Counts the requests of an athlete over all workers that have them, one after the other. A worker that is killed can't say what it used. So it writes
 * some requests down before it sends them, in the athlete's row.
 */
import { FatalError } from "../../connectors/errors.ts";
import type { Queries } from "./database.ts";

/** Requests that are written down at once. A worker that is killed loses at most so many. */
const AHEAD = 8;

/** The requests of an athlete. */
export class RequestTally {
  /** Requests of earlier workers. */
  readonly before: number;
  readonly #queries: Pick<Queries, "query">;
  readonly #mine: readonly [key: string, attempt: number];
  #written: number;
  #used: number;
  #writing: Promise<void> | undefined;

  /**
   * @param taken the athlete, with the attempt of this worker: only the latest one may write
   * @param before requests of earlier workers
   */
  constructor(
    queries: Pick<Queries, "query">,
    { key, attempt }: { readonly key: string; readonly attempt: number },
    before: number,
  ) {
    this.#queries = queries;
    this.#mine = [key, attempt];
    this.before = before;
    this.#written = before;
    this.#used = before;
  }

  /**
   * Settles when a request may be sent.
   *
   * @param used requests of this worker, with this one
   * @param most the largest number of requests of all workers together
   * @throws FatalError `journal/claim-lost` when another worker has the athlete by now
   */
  async willSend(used: number, most: number): Promise<void> {
    this.#used = Math.max(this.#used, this.before + used);
    while (this.before + used > this.#written) {
      // Requests that wait at the same time share a statement.
      this.#writing ??= this.#write(Math.max(this.#used, Math.min(most, this.#written + AHEAD))).finally(() => {
        this.#writing = undefined;
      });
      await this.#writing;
    }
  }

  /** Gives back what was written down and not used, for the next worker. */
  async settle(): Promise<void> {
    await this.#writing?.catch(() => undefined);
    if (this.#used < this.#written) await this.#queries.query(WRITE, [...this.#mine, this.#used]);
    this.#written = this.#used;
  }

  async #write(requests: number): Promise<void> {
    const rows = await this.#queries.query(WRITE, [...this.#mine, requests]);
    if (rows.length === 0)
      throw new FatalError(
        "journal/claim-lost",
        "journal",
        "Cannot go on with the athlete: another worker has them by now. Nothing more is sent from here.",
      );
    this.#written = requests;
  }
}

const WRITE = "UPDATE logferry_fleet.athletes SET requests = $3 WHERE key = $1 AND attempt = $2 RETURNING 1";
