/** Every word a person can type, in the order of the help. */
import type { Command } from "../arguments/command.ts";
import { apply } from "./apply.ts";
import { backup } from "./backup.ts";
import { batch } from "./batch.ts";
import { check } from "./check.ts";
import { diff } from "./diff.ts";
import { doctor } from "./doctor.ts";
import { explain } from "./explain.ts";
import { exportCommand } from "./export.ts";
import { forget } from "./forget.ts";
import { importCommand } from "./import.ts";
import { inspect } from "./inspect.ts";
import { login } from "./login.ts";
import { logout } from "./logout.ts";
import { operator } from "./operator.ts";
import { plan } from "./plan.ts";
import { profiles } from "./profiles.ts";
import { quarantine } from "./quarantine.ts";
import { restore } from "./restore.ts";
import { retry } from "./retry.ts";
import { schedule } from "./schedule.ts";
import { serve } from "./serve.ts";
import { snapshots } from "./snapshots.ts";
import { status } from "./status.ts";
import { undo } from "./undo.ts";
import { verify } from "./verify.ts";
import { whoami } from "./whoami.ts";

export const COMMANDS: readonly Command[] = [
  inspect,
  plan,
  importCommand,
  apply,
  status,
  explain,
  quarantine,
  retry,
  undo,
  verify,
  exportCommand,
  backup,
  snapshots,
  check,
  diff,
  restore,
  forget,
  schedule,
  batch,
  serve,
  operator,
  login,
  logout,
  whoami,
  profiles,
  doctor,
];
