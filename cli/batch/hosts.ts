/** One pace for each service, whoever of its athletes asks: turns are taken in the order they are asked for, so that shares are even. */
import { checkedBaseUrl } from "../../connectors/api/base-url.ts";
import { openPacing, type Pacing } from "../../connectors/api/pacing.ts";
import { REQUESTS_IN_FLIGHT } from "../../transforms/assumptions.ts";
import type { OptionValues } from "../arguments/options.ts";
import { pace } from "../login/connect.ts";

/** The pacing of an address's host; undefined where there is no limit. */
export type Hosts = (url: string | undefined) => Pacing | undefined;

/**
 * The hosts of a batch.
 *
 * @param options `hostRate` for all athletes of a host, `parallel` and `concurrency` for how many requests may be under way
 */
export function openHosts({ hostRate, parallel = 1, concurrency = REQUESTS_IN_FLIGHT }: OptionValues): Hosts {
  const paces = new Map<string, Pacing>();
  return (url) => {
    if (url === undefined) return undefined;
    const { start, rate } = pace({ rate: hostRate, url });
    if (rate === undefined) return undefined;
    const { origin } = checkedBaseUrl(url);
    const pacing =
      // As many as there can be: a slow athlete holds their own workers, and nobody else's.
      paces.get(origin) ?? openPacing({ start, rate, inFlight: parallel * concurrency });
    paces.set(origin, pacing);
    return pacing;
  };
}
