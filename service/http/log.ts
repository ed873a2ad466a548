/**
 * The service's own log. The address of every request holds the token, so the log gets only the path of an address. Other texts can
 * repeat a token, a code, a secret or a password: the message of a foreign error does. So the sink cleans every line, and every line goes
 * through it.
 */
import type { FastifyServerOptions } from "fastify";

/** The target of log lines, one JSON object each. */
export interface LogSink {
  write(line: string): void;
}

/** Options for fastify's logger: it writes JSON lines to a sink, without secrets. */
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

/** The names of secrets in forms and addresses. Longer names come first, so that each secret is removed whole. */
const SECRETS = /\b(access_token|client_secret|code_verifier|new-password|password|code|_csrf)(=|%3D)[^&\s"'\\]*/gi;

function withoutToken(text: string): string {
  return text.replace(SECRETS, "$1$2[redacted]");
}
