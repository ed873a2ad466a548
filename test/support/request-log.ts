/**
 * The requests to a service, from its own log: every request as it came in, before any fault and any check. The log holds no address's query, so this
 * holds no token.
 */
import type { LogSink } from "../../service/http/log.ts";

/** A request, as it came in. */
export interface Asked {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Of the answer; undefined while there is none, and where none was ever given. */
  status: number | undefined;
}

/** Collects the requests. */
export interface RequestLog extends LogSink {
  readonly all: readonly Asked[];
  /** The requests with this method and this end of the path: `ending("POST", "/workouts")`. */
  ending(method: string, path: string): readonly Asked[];
  /** Every request for a change: POST and PUT. */
  writes(): readonly Asked[];
}

/** An empty log: `startService({ log: requestLog() })`. */
export function requestLog(): RequestLog {
  const all: Asked[] = [];
  const open = new Map<string, Asked>();
  return {
    all,
    write(line) {
      const { reqId, req, res, time } = JSON.parse(line) as {
        reqId?: string;
        req?: { method: string; path: string };
        res?: { statusCode: number };
        time: number;
      };
      if (reqId === undefined) return;
      if (req !== undefined) {
        const asked: Asked = { method: req.method, path: req.path, at: time, status: undefined };
        all.push(asked);
        open.set(reqId, asked);
      }
      const asked = open.get(reqId);
      if (res !== undefined && asked !== undefined) asked.status = res.statusCode;
    },
    ending: (method, path) => all.filter((one) => one.method === method && one.path.endsWith(path)),
    writes: () => all.filter(({ method }) => method === "POST" || method === "PUT"),
  };
}
