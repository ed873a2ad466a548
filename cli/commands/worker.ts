import type { Command } from "../arguments/command.ts";

/** `logferry worker`: takes athletes from the queue of a fleet. */
export const worker: Command = {
  name: "worker",
  details: [
    "Takes athletes that `logferry batch ROSTER` put into the queue of a fleet, checks them and loads them, until you stop it. Start it on as many machines as you like. docs/fleet.md shows the whole way.",
    "The first Ctrl-C or SIGTERM lets it finish the requests under way. It hands the athletes back within 30 seconds, and other workers go on with them. When a worker dies, others take its athletes after ten seconds.",
    "Put the address of a PostgreSQL database with a password into LOGFERRY_FLEET or the config file, or the password into PGPASSWORD. Other users of the machine can read command lines.",
  ],
  options: ["fleet", "parallel", "archives", "identity", "tokenCommand", "hostRate", "metrics", "traces", "untilEmpty"],
  says: {
    identity: {
      metavar: "FILE",
      help: "the file with the age key that opens the access tokens that `batch --recipient` sealed (AGE-SECRET-KEY-1...)",
    },
    tokenCommand: {
      metavar: "COMMAND",
      help: "take each access token from the first line that a command prints. It gets the athlete's screen name, or else the e-mail address, as its last word",
    },
  },
  examples: [
    { line: "logferry worker", does: "work until it is stopped, with LOGFERRY_FLEET" },
    { line: "logferry worker --archives /mnt/exports --parallel 8", does: "with the archives in a shared folder" },
    { line: "logferry worker --until-empty", does: "work until nobody waits" },
  ],
  stopping:
    "Stopping: requests under way are finished, and the athletes handed back, within 30 s. Once more ends at once.",
  run: async (context) => (await import("../actions/worker.ts")).act(context),
};
