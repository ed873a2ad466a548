import { publicKeyOf } from "../../pipelines/certificate/signature.ts";
import { resumeCommand } from "../../pipelines/journal/resume-command.ts";
import { baseRun } from "../../pipelines/plan/records/retry-selection.ts";
import type { CommandContext } from "../arguments/command.ts";
import { DEFAULT_CERTIFICATE } from "../certificate/default-name.ts";
import { holdCertificate } from "../certificate/hold.ts";
import { checkPaths, issueAndWrite } from "../certificate/issue.ts";
import { checkOwnKey, ownKeyPath } from "../certificate/own-key.ts";
import { type ExitName, UsageError } from "../errors/exit-codes.ts";
import { findRun } from "../session/own-journal.ts";
import { openSession } from "../session/session.ts";

/** `logferry certify`: writes a signed certificate of a run, and checks one. */
export async function act(context: CommandContext): Promise<ExitName> {
  const { options } = context;
  const keyPath = ownKeyPath();
  const key = await checkOwnKey(keyPath);
  if (options.check === true)
    return holdCertificate(context, context.arguments[0] ?? DEFAULT_CERTIFICATE, key && publicKeyOf(key));
  const path = context.arguments[0] ?? DEFAULT_CERTIFICATE;
  if (!path.endsWith(".json")) throw new UsageError(`Cannot write ${path}: its name must end in .json`);
  const page = path.replace(/\.json$/, ".html");
  await checkPaths(path, page);
  await using session = await openSession(context);
  const asked = await findRun(session.journal, options.run);
  // A retry has single records of its run. The certificate is of the whole.
  const run = asked && ((await baseRun(session.journal, asked.id)) ?? asked);
  if (run === undefined) throw new UsageError("There is no run to certify. Begin with: logferry import SOURCE");
  if (run.state !== "finished")
    throw new UsageError(`Run ${run.id} is not finished. Finish it first: ${resumeCommand(run)}`);
  return await issueAndWrite(context, session, run, { path, page, keyPath });
}
