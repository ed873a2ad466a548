/** One pace for each service, over all workers of a fleet. Each worker leases its share from a row in PostgreSQL. */
import { checkedBaseUrl } from "../../connectors/api/base-url.ts";
import type { Pacing } from "../../connectors/api/pacing.ts";
import type { FleetDatabase } from "../../pipelines/fleet/database.ts";
import { LeasedPacing } from "../../pipelines/fleet/leased-pacing.ts";
import { paceOf } from "../../pipelines/fleet/paces.ts";
import type { Hosts } from "../batch/hosts.ts";
import { pace } from "../login/pace.ts";

/** The hosts of a worker. */
export interface FleetHosts {
  /** The hosts of a batch. @param hostRate its option */
  of(hostRate: number | undefined): Hosts;
  /** Requests so far, and those that were turned away. */
  counts(): { readonly requests: number; readonly refused: number };
}

/**
 * Makes the hosts of a worker.
 *
 * @param worker its name, different for each worker
 */
export function fleetHosts(database: FleetDatabase, worker: string): FleetHosts {
  const pacings = new Map<string, Pacing>();
  return {
    of: (hostRate) => (url) => {
      if (url === undefined) return undefined;
      const { start, rate } = pace({ rate: hostRate, url });
      if (rate === undefined) return undefined;
      const { origin } = checkedBaseUrl(url);
      // Two batches may allow different rates. The lower one holds while both are worked on.
      const key = `${rate} ${origin}`;
      const table = paceOf(database, origin, start ?? rate);
      const pacing =
        pacings.get(key) ?? new LeasedPacing({ table, worker: `${worker} (${pacings.size + 1})`, ceiling: rate });
      pacings.set(key, pacing);
      return pacing;
    },
    counts() {
      const all = [...pacings.values()].map(({ counts }) => counts);
      return {
        requests: all.reduce((sum, { started }) => sum + started, 0),
        refused: all.reduce((sum, { pauses }) => sum + pauses, 0),
      };
    },
  };
}
