import { CONDITIONS, FAULT_KINDS, type FaultKind, needOf, SPEC_FORM } from "../../service/faults/kinds.ts";
import type { Command } from "../arguments/command.ts";

/** `logferry serve`: the included training log, for rehearsals and for people who host their own log. */
export const serve: Command = {
  name: "serve",
  details: [
    "A complete training log on your own machine. Rehearse an import here, look at it, and only then do it for real. It listens on this machine only, unless --host says otherwise.",
    "With --demo-user it makes a user. It prints an access token for logferry, and a login and a password for the pages, once. Stop it with Ctrl-C or SIGTERM. It finishes open requests within ten seconds.",
    "Behind a balancer start it with --drain 10. When it is stopped, it serves on for ten seconds, and /health answers 503, so that the balancer turns to another service.",
    "Put the address of a PostgreSQL database with a password into LOGFERRY_DATABASE or the config file. Other users of the machine can read command lines.",
    `With --fault it misbehaves on purpose, for rehearsals only: ${SPEC_FORM}. In a path, * stands for one step and ** for any number. You may give several faults. At the end, and at /health, it says how often each was hit.`,
  ],
  options: [
    "database",
    "host",
    "port",
    "https",
    "trustProxy",
    "log",
    "drain",
    "demoUser",
    "units",
    "fault",
    "faultSeed",
  ],
  examples: [
    { line: "logferry serve --demo-user", does: "a log to rehearse with, metric" },
    {
      line: "logferry serve --port 0 --database /tmp/rehearsal.db",
      does: "on a free port, with a database of its own",
    },
    {
      line: 'logferry serve --demo-user --fault "reset-after-commit:POST /rest/logs/me/workouts:nth=3"',
      does: "lose the answer to the third workout that is saved",
    },
    {
      line: "logferry serve --demo-user --fault status-before-commit:status=503,rate=0.1 --fault-seed 7",
      does: "turn a tenth of all requests away",
    },
  ],
  tables: [
    {
      title: "Kinds of faults",
      rows: FAULT_KINDS.map((kind) => [kind.name, describeKind(kind)]),
    },
    { title: "Which requests a fault hits", rows: CONDITIONS.map(({ form, means }) => [form, means]) },
  ],
  stopping: "Stopping: requests that are in are finished, within ten seconds. Once more ends at once.",
  run: async (context) => (await import("../actions/serve.ts")).act(context),
};

/** `The request is done, and answered in part. For * /rest/**. bytes= ... (optional)` */
function describeKind({ does, target, parameters }: FaultKind): string {
  const settings = parameters.map((parameter) => `${parameter.name}= ${parameter.expected} (${needOf(parameter)})`);
  return [`the request ${does}`, `For ${target}`, ...(settings.length > 0 ? [settings.join("; ")] : [])].join(". ");
}
