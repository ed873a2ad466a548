/**
 * All commands, in the order of the help. logferry loads a command only when a person types its name, so it starts without the packages of
 * the others.
 */
import type { Command } from "../arguments/command.ts";

const LOADERS: Readonly<Record<string, () => Promise<Command>>> = {
  inspect: async () => (await import("./inspect.ts")).inspect,
  map: async () => (await import("./map.ts")).map,
  rehearse: async () => (await import("./rehearse.ts")).rehearse,
  promote: async () => (await import("./promote.ts")).promote,
  plan: async () => (await import("./plan.ts")).plan,
  import: async () => (await import("./import.ts")).importCommand,
  apply: async () => (await import("./apply.ts")).apply,
  status: async () => (await import("./status.ts")).status,
  history: async () => (await import("./history.ts")).history,
  explain: async () => (await import("./explain.ts")).explain,
  quarantine: async () => (await import("./quarantine.ts")).quarantine,
  retry: async () => (await import("./retry.ts")).retry,
  undo: async () => (await import("./undo.ts")).undo,
  verify: async () => (await import("./verify.ts")).verify,
  certify: async () => (await import("./certify.ts")).certify,
  export: async () => (await import("./export.ts")).exportCommand,
  backup: async () => (await import("./backup.ts")).backup,
  snapshots: async () => (await import("./snapshots.ts")).snapshots,
  check: async () => (await import("./check.ts")).check,
  diff: async () => (await import("./diff.ts")).diff,
  restore: async () => (await import("./restore.ts")).restore,
  forget: async () => (await import("./forget.ts")).forget,
  schedule: async () => (await import("./schedule.ts")).schedule,
  batch: async () => (await import("./batch.ts")).batch,
  serve: async () => (await import("./serve.ts")).serve,
  operator: async () => (await import("./operator.ts")).operator,
  login: async () => (await import("./login.ts")).login,
  logout: async () => (await import("./logout.ts")).logout,
  whoami: async () => (await import("./whoami.ts")).whoami,
  profiles: async () => (await import("./profiles.ts")).profiles,
  doctor: async () => (await import("./doctor.ts")).doctor,
};

/** The names of the commands, in the order of the help. */
export const COMMAND_NAMES: readonly string[] = Object.keys(LOADERS);

/** Loads the commands with these names, or all commands. @returns them in the order of the help */
export async function loadCommands(names: readonly string[] = COMMAND_NAMES): Promise<readonly Command[]> {
  const loaders = Object.entries(LOADERS).filter(([name]) => names.includes(name));
  return Promise.all(loaders.map(([, load]) => load()));
}
