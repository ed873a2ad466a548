/** Connects to a log, at the right pace. */
import { checkedBaseUrl, isThisMachine } from "../../connectors/api/base-url.ts";
import type { Connection } from "../../connectors/api/connection.ts";
import { openConnection } from "../../connectors/api/connection.ts";
import { type Fetcher, poolFetcher, TIMEOUTS, timeoutsFor } from "../../connectors/api/exchange.ts";
import { openPacing, type Pacing } from "../../connectors/api/pacing.ts";
import type { LogView } from "../../pipelines/log/log-view.ts";
import { readAccount } from "../../pipelines/log/log-view.ts";
import { MOST_REQUESTS_PER_SECOND, REQUESTS_PER_SECOND } from "../../transforms/assumptions.ts";
import { givingUpSoon } from "./first-contact.ts";

/** The pace of the requests to a log, by its options and its address. A log on this machine has no limit, unless the options set one. */
export function pace({ rate, url }: { readonly rate?: number | undefined; readonly url?: string | undefined }): {
  readonly start: number | undefined;
  readonly rate: number | undefined;
} {
  if (rate === undefined && url !== undefined && isThisMachine(url)) return { start: undefined, rate: undefined };
  if (rate === undefined) return { start: REQUESTS_PER_SECOND, rate: MOST_REQUESTS_PER_SECOND };
  return rate === 0 ? { start: undefined, rate: undefined } : { start: rate, rate };
}

/** The account of a token, which the service names. */
export async function checkAccount(url: string, token: string, signal: AbortSignal): Promise<LogView["account"]> {
  await using connection = connectTo(url, token);
  return await readAccount(connection, signal);
}

/**
 * A connection for a few requests, which gives up soon if the service doesn't answer.
 *
 * @param token undefined for the token endpoint
 * @param wrap may wrap the fetcher
 */
export function connectTo(
  url: string,
  token: string | undefined,
  wrap: (fetcher: Fetcher) => Fetcher = (fetcher) => fetcher,
): Connection {
  return connect(url, token, { ...pace({ url }), inFlight: 1, wrap });
}

/** The settings of a connection. */
interface ConnectOptions {
  readonly start: number | undefined;
  readonly rate: number | undefined;
  readonly inFlight: number;
  readonly host?: Pacing | undefined;
  readonly wrap?: (fetcher: Fetcher) => Fetcher;
  readonly timeoutSeconds?: number | undefined;
  readonly patienceMs?: number | undefined;
}

/** A connection that gives up soon if the service doesn't answer the first request. */
export function connect(url: string, token: string | undefined, options: ConnectOptions): Connection {
  const { start, rate, inFlight, host, wrap = (fetcher) => fetcher, timeoutSeconds, patienceMs } = options;
  const { origin, prefix } = checkedBaseUrl(url);
  const timeouts = timeoutSeconds === undefined ? TIMEOUTS : timeoutsFor(timeoutSeconds * 1000);
  const fetcher = wrap(givingUpSoon(poolFetcher(origin, inFlight, timeouts), `${origin}${prefix}`));
  const pacing = openPacing({ start, rate, inFlight, host });
  return openConnection({ baseUrl: url, token, pacing, fetcher, patienceMs });
}
