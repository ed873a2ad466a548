/** `certify --check`: holds a certificate against the log or a backup, and says what changed since. */
import { basename } from "node:path";
import { createSink } from "../../connectors/api/sink.ts";
import type { Repository } from "../../connectors/repository/repository.ts";
import { snapshotsOf } from "../../pipelines/backup/snapshots.ts";
import { settleVerdict } from "../../pipelines/certificate/answer.ts";
import {
  type CertificateDifference,
  type CheckedCertificate,
  checkAgainstLog,
  checkAgainstSnapshot,
} from "../../pipelines/certificate/check.ts";
import { type OpenedCertificate, openCertificate } from "../../pipelines/certificate/read.ts";
import { fingerprintOf } from "../../pipelines/certificate/signature.ts";
import { REQUESTS_IN_FLIGHT } from "../../transforms/assumptions.ts";
import { describeOrigin } from "../../transforms/model/issue.ts";
import type { CommandContext } from "../arguments/command.ts";
import { atRepository, openOwnRepository, shortTime } from "../backup/repository.ts";
import { type ExitName, UsageError } from "../errors/exit-codes.ts";
import { openLog } from "../session/session.ts";
import { count, records } from "../terminal/output.ts";

/** The number of differences that are printed without --verbose. */
const SHOWN = 20;

/**
 * Checks a certificate.
 *
 * @param ownPublicKey the key of this user, if there is one
 */
export async function holdCertificate(
  context: CommandContext,
  path: string,
  ownPublicKey: string | undefined,
): Promise<ExitName> {
  const { output, options } = context;
  const opened = await openCertificate(path);
  if (!opened.isSigned) {
    output.emit("certificate", { path, isSigned: false });
    output.conclude(
      `${basename(path)} was changed after it was issued: its signature doesn't belong to it. Nothing was compared. Use the file as logferry wrote it.`,
    );
    return "differs";
  }
  const { certificate, signature, isSigned } = opened;
  const fingerprint = fingerprintOf(signature.publicKey);
  const isOwn = signature.publicKey === ownPublicKey;
  const issued = `Certificate of run ${certificate.run.number}, issued on ${certificate.issuedAt.slice(0, 10)}.`;
  if (isOwn) output.say(`${issued} Nobody changed it since you signed it on this computer: ${fingerprint}`);
  else
    output.remark(
      `${issued} It was signed with a key that this computer doesn't have: ${fingerprint}. Compare these digits with those that you wrote down. If they differ, somebody else signed this file.`,
    );
  const isOfBackup = context.typed?.repository !== undefined && options.repository !== undefined;
  const [found, against] = isOfBackup ? await againstBackup(context, opened) : await againstLog(context, opened);
  if (found === undefined) {
    output.conclude("Stopped: not everything was compared.");
    return "stopped";
  }
  tellDifferences(context, found.differences);
  const answer = settleVerdict(certificate);
  output.emit("certificate", {
    ...{ path, isSigned, isOwn, fingerprint, run: certificate.run.number },
    ...{ checked: found.checked, differing: found.differing, isBalanced: found.isBalanced },
    canClose: answer.canClose,
  });
  if (!found.isBalanced) {
    output.conclude(`The records of ${basename(path)} don't add up to its inventory. This is a bug: please report it.`);
    return "differs";
  }
  // An older version signed a yes where the person's own rule was not met, so the answer is settled anew.
  const says = `Its answer of ${certificate.issuedAt.slice(0, 10)}: ${answer.sentence}`;
  if (found.differing === 0) {
    output.conclude(
      says,
      `${found.checked === 1 ? "The only record is" : `All ${count(found.checked)} records are`} in ${against} as the certificate says.`,
    );
    return isOwn ? "done" : "setAside";
  }
  output.conclude(
    says,
    `${records(found.differing)} of ${count(found.checked)} ${found.differing === 1 ? "is" : "are"} not in ${against} as the certificate says.`,
  );
  return "differs";
}

type Held = readonly [found: CheckedCertificate | undefined, against: string];

async function againstLog(context: CommandContext, opened: OpenedCertificate): Promise<Held> {
  const { output, options } = context;
  await using log = await openLog(context);
  const found = await checkAgainstLog(opened, createSink(log.connection), {
    concurrency: options.concurrency ?? REQUESTS_IN_FLIGHT,
    signal: log.signal,
    onProgress: (done) => output.progress({ phase: "reading back", done, total: undefined }),
  });
  output.endProgress();
  return [log.signal.aborted ? undefined : found, "the log"];
}

async function againstBackup(context: CommandContext, opened: OpenedCertificate): Promise<Held> {
  const repository: Repository = await openOwnRepository(context, "check a certificate");
  const last = (await atRepository(repository, () => snapshotsOf(repository))).snapshots.at(-1);
  if (last === undefined)
    throw new UsageError(`Cannot check a certificate: there is no snapshot in ${repository.root}`);
  const found = await atRepository(repository, () => checkAgainstSnapshot(opened, repository, last));
  return [found, `the backup of ${shortTime(last)}`];
}

function tellDifferences({ output }: CommandContext, differences: readonly CertificateDifference[]): void {
  for (const [index, { record, found, fields }] of differences.entries()) {
    const { id, kind, logId, origin } = record;
    output.emit("difference", { id, kind, logId, origin, found, fields });
    if (index >= SHOWN && output.loudness !== "verbose") continue;
    const what = {
      missing: "it is not there any more",
      unread: "the log refused to show it",
      changed: `changed: ${fields.join(", ")}`,
    }[found];
    output.remark(`${describeOrigin(origin)} (${kind} ${logId}): ${what}`);
  }
}
