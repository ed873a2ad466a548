import type { Command } from "../arguments/command.ts";
import { ARCHIVE_OPTIONS, KEY_OPTIONS, SESSION_OPTIONS } from "../arguments/option-lists.ts";
import { NO_CERTIFICATE, READING_ENDS } from "../arguments/stop-lines.ts";
import { DEFAULT_CERTIFICATE } from "../certificate/default-name.ts";

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
    help: `the JSON file to write, or to check (default: ${DEFAULT_CERTIFICATE})`,
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
  stopped: NO_CERTIFICATE,
  run: async (context) => (await import("../actions/certify.ts")).act(context),
};
