import { addAbortSignal, type Readable } from "node:stream";
import type { Command } from "../command.ts";
import { credentialsPath, readToken, storeCredentials } from "../credentials.ts";
import { UsageError } from "../exit-codes.ts";
import type { Output } from "../output.ts";
import { checkAccount, findToken } from "../session.ts";

/** `logferry login`: stores an access token. */
export const login: Command = {
  name: "login",
  summary: "store the access token of a log",
  details: [
    "Reads the token from standard input, from --token-file, or from LOGFERRY_TOKEN; checks it against the service; stores it in a file only you can read. A token is never taken from the command line, where other users of the machine could see it.",
  ],
  options: ["url", "tokenFile"],
  examples: [
    { line: "logferry login --url https://log.example --token-file token.txt", does: "store the token in token.txt" },
    { line: "logferry login --url https://log.example --profile ana", does: "ask for ana's token" },
  ],
  async run(context) {
    const { output, options, environment, input, signal } = context;
    if (options.url === undefined) throw new UsageError("Cannot log in: say where, with --url");
    const path = credentialsPath(options.profile);
    const token =
      (await findToken(options.tokenFile, environment.LOGFERRY_TOKEN)) ?? (await askFor(output, input, signal));
    if (token === undefined) return "stopped";
    const account = await checkAccount(options.url, token, signal);
    await storeCredentials(path, { url: options.url, token });
    output.emit("login", { profile: options.profile, name: account.name, url: options.url });
    output.conclude(
      `Logged in as ${account.name} at ${options.url}. The token is stored in ${path}, readable by you alone.`,
    );
    return "done";
  },
};

/** The token from standard input; undefined when a signal came first. */
async function askFor(output: Output, input: NodeJS.ReadableStream, signal: AbortSignal): Promise<string | undefined> {
  if ((input as NodeJS.ReadStream).isTTY === true) output.remark("Paste the access token and press Enter:");
  try {
    return await readToken(addAbortSignal(signal, input as Readable));
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}
