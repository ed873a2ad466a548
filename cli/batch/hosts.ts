/** One pace for each service, whoever of its athletes asks: turns are taken in the order they are asked for, so that shares are even. */
import { checkedBaseUrl } from "../../connectors/api/base-url.ts";
import { openPacing, type Pacing } from "../../connectors/api/pacing.ts";
import { REQUESTS_IN_FLIGHT } from "../../transforms/assumptions.ts";
import { pace } from "../login/connect.ts";
import type { OptionValues } from "../options.ts";

/** The pacing of an address's host; undefined where there is no limit. */
export type Hosts = (url: string | undefined) => Pacing | undefined;

/**
 * The hosts of a batch.
 *
 * @param options `hostRate` for all athletes of a host, `parallel` and `concurrency` for how many requests may be under way
 */
export function openHosts({ hostRate, parallel = 1, concurrency = REQUESTS_IN_FLIGHT }: OptionValues): Hosts {
  const paces = new Map<string, Pacing>();
  const { start, rate } = pace({ rate: hostRate });
  return (url) => {
    if (rate === undefined || url === undefined) return undefined;
    const { origin } = checkedBaseUrl(url);
    const pacing =
      // As many as there can be: a slow athlete holds their own lanes, and nobody else's.
      paces.get(origin) ?? openPacing({ start, rate, inFlight: parallel * concurrency });
    paces.set(origin, pacing);
    return pacing;
  };
}
