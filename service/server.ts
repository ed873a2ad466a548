/** Starts the training log and listens. Tests, the demo and the command that serves use it. */
import type { AddressInfo } from "node:net";
import { type AppOptions, appOver } from "./app.ts";
import { armFaults, type FaultOptions, type Faults } from "./faults/faults.ts";
import { type Operator, operatorOf } from "./operator.ts";
import { AccountStore } from "./store/account-store.ts";
import { LogStore } from "./store/log-store.ts";
import { openDatabase } from "./store/open.ts";

/** Options of the start. */
export interface ServiceOptions extends AppOptions {
  /**
   * The path of the database file, which is made when it isn't there. Or `":memory:"` for a log that lives as long as the process. Or the
   * address of a PostgreSQL database, `postgres://user:password@host:5432/name`.
   */
  readonly database: string;
  /** Default 127.0.0.1: only this machine. */
  readonly host?: string;
  /** Default 0, a free port. */
  readonly port?: number;
  /** Faults to serve with, for tests and rehearsals; default none. */
  readonly faults?: FaultOptions;
}

/** How long requests in progress have to finish while the service closes. */
export const CLOSE_WITHIN_MS = 10_000;

/** A running training log. */
export interface Service {
  /** The interface's `{base_url}`: `http://127.0.0.1:53817`. */
  readonly url: string;
  readonly store: LogStore;
  readonly accounts: AccountStore;
  readonly operator: Operator;
  readonly faults: Pick<Faults, "hits">;
  /**
   * Tells balancers to turn to another service: `/health` says that this one is draining, and each answer ends its connection. Requests
   * are still served, until `close`.
   */
  drain(): void;
  /**
   * Takes no more requests, lets the requests in progress finish, and closes the database. Safe to call twice.
   * @param withinMs after this time the service cuts connections that are still busy; default `CLOSE_WITHIN_MS`
   */
  close(withinMs?: number): Promise<void>;
}

/**
 * Opens the database and listens.
 *
 * @throws Error when the database can't be opened (see `openDatabase`) or the port is taken
 * @throws BadFault for a fault that can't be read
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  const faults = armFaults(options.faults, options.now);
  const database = await openDatabase(options.database, { waitsForDisk: options.isRehearsal !== true });
  const store = new LogStore(database);
  const accounts = new AccountStore(database);
  let isDraining = false;
  const app = appOver({ store, accounts }, { ...options, isDraining: () => isDraining }, faults);
  const close = async (withinMs = CLOSE_WITHIN_MS) => {
    const deadline = setTimeout(() => app.server.closeAllConnections(), withinMs);
    await app.close().finally(() => clearTimeout(deadline));
    await database.close();
  };
  try {
    await app.listen({ host: options.host ?? "127.0.0.1", port: options.port ?? 0 });
  } catch (error) {
    await close();
    throw error;
  }
  for (const { fault } of faults.hits()) app.log.warn({ fault }, "this service misbehaves on purpose");
  const url = urlOf(app.server.address() as AddressInfo);
  const drain = () => {
    isDraining = true;
  };
  return { url, store, accounts, operator: operatorOf({ store, accounts }), faults, drain, close };
}

function urlOf({ address, family, port }: AddressInfo): string {
  return `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
}
