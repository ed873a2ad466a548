/** One pace for each service, over all of its athletes. Requests take turns in the order of asking, so every athlete gets an even share. */
import { checkedBaseUrl } from "../../connectors/api/base-url.ts";
import { openPacing, type Pacing } from "../../connectors/api/pacing.ts";
import { REQUESTS_IN_FLIGHT } from "../../transforms/assumptions.ts";
import type { OptionValues } from "../arguments/options.ts";
import { pace } from "../login/pace.ts";

/** The pacing of an address's host; undefined without a limit. */
export type Hosts = (url: string | undefined) => Pacing | undefined;

/**
 * The hosts of a batch.
 *
 * @param options `hostRate` for all athletes of a host, `parallel` and `concurrency` for the number of open requests
 */
export function openHosts({ hostRate, parallel = 1, concurrency = REQUESTS_IN_FLIGHT }: OptionValues): Hosts {
  const paces = new Map<string, Pacing>();
  return (url) => {
    if (url === undefined) return undefined;
    const { start, rate } = pace({ rate: hostRate, url });
    if (rate === undefined) return undefined;
    const { origin } = checkedBaseUrl(url);
    const pacing =
      // All requests of all workers fit, so a slow athlete blocks only their own workers.
      paces.get(origin) ?? openPacing({ start, rate, inFlight: parallel * concurrency });
    paces.set(origin, pacing);
    return pacing;
  };
}
