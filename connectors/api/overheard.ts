/** Lets a caller hear the remarks of a connection, so that it learns how good the service's answers were. */
import type { Issue } from "../../transforms/model/issue.ts";
import type { Connection } from "./connection.ts";

/** Returns the same connection, which also passes each remark to `hear`. Closing it closes the original. */
export function overheard(connection: Connection, hear: (issue: Issue) => void): Connection {
  return {
    pacing: connection.pacing,
    host: connection.host,
    redact: connection.redact,
    report(issue) {
      hear(issue);
      connection.report(issue);
    },
    waiting: () => connection.waiting(),
    get isHeldBack() {
      return connection.isHeldBack;
    },
    send: (operation, parts, signal) => connection.send(operation, parts, signal),
    close: () => connection.close(),
    [Symbol.asyncDispose]: () => connection.close(),
  };
}
