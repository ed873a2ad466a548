/**
 * The service's own log. The token is in the address of every request, so of an address only the path is written; and
 * whatever else repeats one (the message of a foreign error does) is cleaned at the sink, which nothing gets around.
 */
import type { FastifyServerOptions } from "fastify";

/** Where log lines go, one JSON object each. */
export interface LogSink {
  write(line: string): void;
}

/** Options for fastify's logger that writes JSON lines, and no token, to a sink. */
export function loggerTo(sink: LogSink): NonNullable<FastifyServerOptions["logger"]> {
  return {
    stream: { write: (line: string) => sink.write(withoutToken(line)) },
    serializers: {
      req: (request) => ({ method: request.method, path: pathOf(request.url) }),
      res: (reply) => ({ statusCode: reply.statusCode }),
    },
  };
}

function pathOf(url: string): string {
  const end = url.search(/[?#]/);
  return end === -1 ? url : url.slice(0, end);
}

function withoutToken(text: string): string {
  return text.replace(/access_token(=|%3D)[^&\s"'\\]*/gi, "access_token$1[redacted]");
}
