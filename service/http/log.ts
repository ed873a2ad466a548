/**
 * The service's own log. The token is in the address of every request, so of an address only the path is written; and
 * whatever else repeats one, or a code, a secret or a password (the message of a foreign error does), is cleaned at the sink, which
 * nothing gets around.
 */
import type { FastifyServerOptions } from "fastify";

/** Where log lines go, one JSON object each. */
export interface LogSink {
  write(line: string): void;
}

/** Options for fastify's logger that writes JSON lines, and no secret, to a sink. */
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

/** What a form or an address calls a secret; longer names first, so that no rest of one is left. */
const SECRETS = /\b(access_token|client_secret|code_verifier|new-password|password|code|_csrf)(=|%3D)[^&\s"'\\]*/gi;

function withoutToken(text: string): string {
  return text.replace(SECRETS, "$1$2[redacted]");
}
