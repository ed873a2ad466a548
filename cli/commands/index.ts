/**
 * All commands, in the order of the help. logferry loads a command only when a person types its name, so it starts without the packages of
 * the others. What the list of commands shows stands here, so that the list needs none of them.
 */
import type { Command } from "../arguments/command.ts";

/** A command as the list of commands shows it. */
export interface ListedCommand {
  readonly name: string;
  /** One line. */
  readonly summary: string;
}

/** A command with its line in the list. */
export type LoadedCommand = Command & ListedCommand;

interface Entry {
  readonly summary: string;
  readonly load: () => Promise<Command>;
}

const GROUPS: Readonly<Record<string, Readonly<Record<string, Entry>>>> = {
  "See what you have, and what would happen": {
    inspect: {
      summary: "show what an archive holds, without touching any log",
      load: async () => (await import("./inspect.ts")).inspect,
    },
    map: {
      summary: "work with mapping files, which explain the columns of a spreadsheet",
      load: async () => (await import("./map.ts")).map,
    },
    rehearse: {
      summary: "import everything into a private log first, and look at it",
      load: async () => (await import("./rehearse.ts")).rehearse,
    },
    plan: {
      summary: "decide about every record of the sources, and change nothing",
      load: async () => (await import("./plan.ts")).plan,
    },
  },
  Import: {
    import: {
      summary: "carry everything in the sources into the log",
      load: async () => (await import("./import.ts")).importCommand,
    },
    promote: {
      summary: "do in your real log what the rehearsal did",
      load: async () => (await import("./promote.ts")).promote,
    },
    apply: {
      summary: "do what was planned, or go on where a run was stopped",
      load: async () => (await import("./apply.ts")).apply,
    },
    status: {
      summary: "show what was planned and done, and what needs a look",
      load: async () => (await import("./status.ts")).status,
    },
    history: {
      summary: "show every import: what it did, what stayed out and why",
      load: async () => (await import("./history.ts")).history,
    },
    explain: {
      summary: "tell all that is known of one record: where it lies, what was decided, sent and answered",
      load: async () => (await import("./explain.ts")).explain,
    },
    quarantine: {
      summary: "show rejected records, say what to do about each, and retry them",
      load: async () => (await import("./quarantine.ts")).quarantine,
    },
    retry: {
      summary: "send again only what was refused or failed, and settle what is in doubt",
      load: async () => (await import("./retry.ts")).retry,
    },
    undo: {
      summary: "put back what a run wrote over, and list what it made",
      load: async () => (await import("./undo.ts")).undo,
    },
  },
  "Check an import": {
    verify: {
      summary: "read everything back from the log and compare it field by field",
      load: async () => (await import("./verify.ts")).verify,
    },
    certify: {
      summary: "write a signed certificate: can the old account be closed?",
      load: async () => (await import("./certify.ts")).certify,
    },
  },
  "Back up your log, and bring it home": {
    export: {
      summary: "write the whole log as CSV, JSON and other files",
      load: async () => (await import("./export.ts")).exportCommand,
    },
    backup: {
      summary: "back up the whole log as a snapshot",
      load: async () => (await import("./backup.ts")).backup,
    },
    schedule: {
      summary: "let systemd or cron back up every night, and warn you when a backup is missed",
      load: async () => (await import("./schedule.ts")).schedule,
    },
    snapshots: {
      summary: "list the snapshots of a repository",
      load: async () => (await import("./snapshots.ts")).snapshots,
    },
    check: {
      summary: "check every checksum of a snapshot repository",
      load: async () => (await import("./check.ts")).check,
    },
    diff: {
      summary: "say what changed in the log between two snapshots",
      load: async () => (await import("./diff.ts")).diff,
    },
    restore: {
      summary: "put a snapshot back into its log, or into another one",
      load: async () => (await import("./restore.ts")).restore,
    },
    forget: {
      summary: "take away old snapshots by a policy, and the data nobody needs then",
      load: async () => (await import("./forget.ts")).forget,
    },
  },
  "For many athletes": {
    batch: {
      summary: "carry many athletes' archives into their logs, by a roster",
      load: async () => (await import("./batch.ts")).batch,
    },
    worker: {
      summary: "do the batches of a fleet on this machine, beside other machines",
      load: async () => (await import("./worker.ts")).worker,
    },
  },
  "Host a log": {
    serve: {
      summary: "start the training log service that comes with logferry",
      load: async () => (await import("./serve.ts")).serve,
    },
    operator: {
      summary: "add users, applications, plans and tokens to a log you host, list and revoke them",
      load: async () => (await import("./operator.ts")).operator,
    },
  },
  "Your login": {
    login: {
      summary: "get access to a log in the browser or with an access token, and remember it",
      load: async () => (await import("./login.ts")).login,
    },
    logout: {
      summary: "forget the stored access token of a log",
      load: async () => (await import("./logout.ts")).logout,
    },
    whoami: {
      summary: "say whose log the stored token opens",
      load: async () => (await import("./whoami.ts")).whoami,
    },
    profiles: {
      summary: "list the stored logins without showing their tokens, and say which of them work",
      load: async () => (await import("./profiles.ts")).profiles,
    },
    doctor: {
      summary: "check the login, the log, the clock, the journal and the disk, and say what to do",
      load: async () => (await import("./doctor.ts")).doctor,
    },
  },
};

const ENTRIES: Readonly<Record<string, Entry>> = Object.assign({}, ...Object.values(GROUPS));

/** The names of the commands, in the order of the help. */
export const COMMAND_NAMES: readonly string[] = Object.keys(ENTRIES);

/** The commands by what a person wants to do, in the order of the help. */
export const COMMAND_GROUPS: readonly (readonly [title: string, commands: readonly ListedCommand[]])[] = Object.entries(
  GROUPS,
).map(([title, entries]) => [title, Object.entries(entries).map(([name, { summary }]) => ({ name, summary }))]);

/** Loads the commands with these names, or all commands. @returns them in the order of the help */
export async function loadCommands(names: readonly string[] = COMMAND_NAMES): Promise<readonly LoadedCommand[]> {
  const chosen = Object.entries(ENTRIES).filter(([name]) => names.includes(name));
  return Promise.all(chosen.map(async ([, { summary, load }]) => ({ ...(await load()), summary })));
}
