/** A connection whose remarks somebody hears besides: whoever reads through it learns what the service's answers were like. */
import type { Issue } from "../../transforms/model/issue.ts";
import type { Connection } from "./connection.ts";

/** The same connection; each remark goes to `hear` too. Closing it closes the other. */
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
  };
}
