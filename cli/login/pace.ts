/** How fast requests are sent, where the options or the address of the log say so. */
import { isThisMachine } from "../../connectors/api/base-url.ts";
import { MOST_REQUESTS_PER_SECOND, REQUESTS_PER_SECOND } from "../../transforms/assumptions.ts";

/** The pace of the requests to a log, by its options and its address. A log on this machine has no limit, unless the options set one. */
export function pace({ rate, url }: { readonly rate?: number | undefined; readonly url?: string | undefined }): {
  readonly start: number | undefined;
  readonly rate: number | undefined;
} {
  if (rate === undefined && url !== undefined && isThisMachine(url)) return { start: undefined, rate: undefined };
  if (rate === undefined) return { start: REQUESTS_PER_SECOND, rate: MOST_REQUESTS_PER_SECOND };
  return rate === 0 ? { start: undefined, rate: undefined } : { start: rate, rate };
}
