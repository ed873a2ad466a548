import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Service } from "../../service/server.ts";
import { ACTIVITY_NAMES } from "../../transforms/activities.ts";
import { ACTIVITY_IDS } from "../../transforms/assumptions.ts";
import type { Command } from "../command.ts";
import { PATHS } from "../config.ts";
import { UsageError } from "../exit-codes.ts";

/** `logferry serve`: the embedded training log, for rehearsals and for whoever hosts their own. */
export const serve: Command = {
  name: "serve",
  summary: "start the training log service that comes with logferry",
  details: [
    "A complete training log on your own machine: rehearse an import here, look at it, and only then do it for real. It listens on this machine only, unless --host says otherwise.",
    "With --demo-user it makes a user and prints an access token, once. Stop it with Ctrl-C; it finishes what it is doing.",
  ],
  options: ["database", "host", "port", "demoUser", "units"],
  examples: [
    { line: "logferry serve --demo-user", does: "a log to rehearse with, metric" },
    {
      line: "logferry serve --port 0 --database /tmp/rehearsal.db",
      does: "on a free port, with a database of its own",
    },
  ],
  async run({ options, output, signal }) {
    const { host = "127.0.0.1", port = 0, database = join(PATHS.data, "service.db") } = options;
    const service = await start(database, host, port);
    try {
      output.emit("listening", { url: service.url });
      output.say(`The training log listens at ${service.url}`);
      if (options.demoUser === true) {
        const own = ACTIVITY_NAMES.filter((name) => ACTIVITY_IDS[name] === undefined);
        const { addDemoUser } = await import("../../service/demo.ts");
        const user = await addDemoUser(service, {
          units: options.units === "imperial" ? "miles" : "kilometres",
          activities: own,
        });
        const activities = Object.entries(user.activityIDs).map(([name, id]) => `--activity ${name}=${id}`);
        output.emit("demo-user", { token: user.token, activityIDs: user.activityIDs });
        output.say(`A demo user was made. Its access token, shown this once: ${user.token}`);
        output.say(`Log in to it:  echo ${user.token} | logferry login --url ${service.url}`);
        output.say(`Its own activities:  ${activities.join(" ")}`);
      }
      if (!signal.aborted) await once(signal, "abort");
    } finally {
      await service.close();
    }
    output.conclude("Stopped.");
    return "done";
  },
};

/** Loaded here and not above: the service's packages take half of the time a command needs to start. */
async function start(database: string, host: string, port: number): Promise<Service> {
  const { startService } = await import("../../service/server.ts");
  try {
    if (database !== ":memory:") mkdirSync(dirname(database), { recursive: true, mode: 0o700 });
    return await startService({ database, host, port });
  } catch (error) {
    const found = TROUBLES.find(({ code }) => error instanceof Error && "code" in error && code === error.code);
    if (found !== undefined)
      throw new UsageError(`Cannot serve: ${found.says({ database, host, port })}`, { cause: error });
    // The store says itself when a file is another program's, or a newer logferry's.
    if (error instanceof Error && error.message.startsWith("Cannot open ")) throw new UsageError(error.message);
    throw error;
  }
}

interface Place {
  readonly database: string;
  readonly host: string;
  readonly port: number;
}

/** What keeps a service from starting, by the code of the system's error, and what to do about it. */
const TROUBLES: readonly { readonly code: string; readonly says: (place: Place) => string }[] = [
  {
    code: "EADDRINUSE",
    says: ({ host, port }) => `port ${port} of ${host} is taken. Name another with --port, or 0 for any free one`,
  },
  { code: "EACCES", says: ({ database, port }) => `no permission for port ${port} or for ${database}` },
  { code: "EADDRNOTAVAIL", says: ({ host }) => `${host} is no address of this machine. Name one with --host` },
  { code: "ENOTFOUND", says: ({ host }) => `there is no host ${host}. Name an address of this machine with --host` },
  { code: "EAI_AGAIN", says: ({ host }) => `there is no host ${host}. Name an address of this machine with --host` },
  { code: "ENOTDIR", says: ({ database }) => `${database} is no place for a database. Name another with --database` },
  { code: "EEXIST", says: ({ database }) => `${database} is no place for a database. Name another with --database` },
  {
    code: "ERR_SQLITE_ERROR",
    says: ({ database }) => `${database} is no database that can be used. Name another with --database`,
  },
];
