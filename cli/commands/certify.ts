import { join } from "node:path";
import { publicKeyOf, readKey } from "../../pipelines/certificate/signature.ts";
import { resumeCommand } from "../../pipelines/journal/resume-command.ts";
import { baseRun } from "../../pipelines/plan/retry-selection.ts";
import { ARCHIVE_OPTIONS } from "../arguments/archive-limits.ts";
import type { Command } from "../arguments/command.ts";
import { userFolders } from "../arguments/config.ts";
import { READING_ENDS } from "../arguments/stop-lines.ts";
import { KEY_OPTIONS } from "../backup/repository-keys.ts";
import { holdCertificate } from "../certificate/hold.ts";
import { checkPaths, issueAndWrite, NOT_ALL } from "../certificate/issue.ts";
import { UsageError } from "../errors/exit-codes.ts";
import { findRun } from "../session/own-journal.ts";
import { openSession, SESSION_OPTIONS } from "../session/session.ts";

const DEFAULT_NAME = "logferry-certificate.json";

/** `logferry certify`: writes a signed certificate of a run, and checks one. */
export const certify: Command = {
  name: "certify",
  details: [
    "Reads every record of the last run back from the log, or of the run named with --run. Of a retry it takes the run that was retried. Puts each record of your sources into exactly one class, such as created, merged or rejected. The classes add up to the inventory: there is no class for the rest.",
    "The inventory lists every file of the sources with its hash. logferry takes it with the plan. The certificate says what changed in the sources since then.",
    "It writes two files: a page to read, print and keep, and a signed JSON file beside it. The page says whether you can close the old account, up to which day, how far everything was checked, and what closing it loses.",
    "--check holds a certificate against the log of now, or with --repository against the last backup. It names each record that changed since, and the fields. The exit code is 7 when something in the log, in the backup or in the certificate itself is different.",
    "With --repository, the certificate also says whether the last backup after the run was restored into an empty log and was equal: see logferry backup --drill.",
    "The key for the signature is made at the first time, in the data folder. Its fingerprint is on the page.",
  ],
  positional: {
    name: "file",
    help: `the JSON file to write, or to check (default: ${DEFAULT_NAME})`,
    atLeast: 0,
    atMost: 1,
  },
  says: { check: { help: "compare the certificate with the log of now, or with the last backup, and write nothing" } },
  options: ["run", "check", "repository", ...KEY_OPTIONS, ...ARCHIVE_OPTIONS, ...SESSION_OPTIONS],
  examples: [
    { line: "logferry certify", does: "logferry-certificate.json and logferry-certificate.html" },
    { line: "logferry certify --check logferry-certificate.json", does: "is the log still as it says?" },
    {
      line: "logferry certify --check logferry-certificate.json --repository ~/backups/log",
      does: "is the last backup as it says?",
    },
  ],
  stopping: READING_ENDS,
  stopped: NOT_ALL,
  async run(context) {
    const { options } = context;
    const keyPath = join(userFolders().data, "certificate-key.pem");
    if (options.check === true) {
      const key = await readKey(keyPath);
      return holdCertificate(context, context.arguments[0] ?? DEFAULT_NAME, key && publicKeyOf(key));
    }
    const path = context.arguments[0] ?? DEFAULT_NAME;
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
  },
};
