/**
 * Sends a mail by SMTP. The connection is encrypted, except to a server on this machine. The password comes from a file, a variable or a
 * command.
 */
import { printable } from "../../transforms/text/printable.ts";
import type { Mail } from "../arguments/notify-settings.ts";
import { UsageError } from "../errors/exit-codes.ts";
import { describeSystemError, isOfSystem } from "../errors/system-errors.ts";
import { readSecretFile } from "../login/credentials.ts";
import { type Environment, runProgram } from "../system/programs.ts";

/** Longest waits for the mail server, and for the command that gives its password, in milliseconds. */
const LONGEST_MS = 30_000;

/** The port of a server, if the settings don't give it. */
const PORTS = { starttls: 587, implicit: 465, none: 25 } as const;

/**
 * Sends a mail.
 *
 * @param subject one line, of any text
 * @returns the problem, without the password; undefined when the mail was sent
 */
export async function sendMail(
  spec: Mail,
  subject: string,
  body: string,
  environment: Environment,
): Promise<string | undefined> {
  let password: string | undefined;
  try {
    password = await passwordOf(spec, environment);
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  // Loaded only to send a mail: loading takes a while, and otherwise every command would wait for it.
  const { createTransport } = await import("nodemailer");
  const transport = createTransport({
    host: spec.host.replace(/^\[|\]$/g, ""),
    port: spec.port ?? PORTS[spec.tls],
    secure: spec.tls === "implicit",
    requireTLS: spec.tls === "starttls",
    ignoreTLS: spec.tls === "none",
    ...(spec.user !== undefined && { auth: { user: spec.user, pass: password ?? "" } }),
    connectionTimeout: LONGEST_MS,
    greetingTimeout: LONGEST_MS,
    socketTimeout: LONGEST_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    await transport.sendMail({
      from: spec.from,
      to: [...spec.to],
      subject: printable(subject, 200),
      text: body
        .split("\n")
        .map((line) => printable(line, 2_000))
        .join("\n"),
      // Keeps automatic replies, such as holiday notices, from answering this mail.
      headers: { "auto-submitted": "auto-generated" },
    });
    return undefined;
  } catch (error) {
    return describe(error as SmtpError, password);
  } finally {
    transport.close();
  }
}

interface SmtpError extends Error {
  readonly code?: string;
  readonly responseCode?: number;
}

/** The library's error in one line. If the server repeats the password, its text is left out. */
function describe({ code, responseCode, message }: SmtpError, password: string | undefined): string {
  if (responseCode !== undefined) {
    const first = printable(message.split("\n")[0] ?? "", 200);
    // The server's text about a login may repeat the password.
    const shown = code === "EAUTH" || (password !== undefined && first.includes(password)) ? "" : ` (${first})`;
    return `the mail server answered ${responseCode}${shown}`;
  }
  return `the mail server can't be used (${code ?? "no connection"})`;
}

async function passwordOf(spec: Mail, environment: Environment): Promise<string | undefined> {
  if (spec.user === undefined) return undefined;
  if (spec["password-file"] !== undefined) return readSecretFile(spec["password-file"]);
  const command = spec["password-command"];
  if (command === undefined) {
    const password = environment.LOGFERRY_SMTP_PASSWORD;
    if (password !== undefined && password !== "") return password;
    throw new UsageError(
      "there is no password: set password-file, password-command or the variable LOGFERRY_SMTP_PASSWORD",
    );
  }
  const [program = "", ...words] = command;
  try {
    const { code, out } = await runProgram(program, words, { environment, longestMs: LONGEST_MS });
    const password = out.split("\n")[0]?.trim() ?? "";
    if (code === 0 && password !== "") return password;
    throw new UsageError(
      code === undefined
        ? "the password-command took too long"
        : `the password-command gave none, and ended with ${code}`,
    );
  } catch (error) {
    if (!isOfSystem(error)) throw error;
    throw new UsageError(`the password-command can't be started: ${describeSystemError(error)}`);
  }
}
