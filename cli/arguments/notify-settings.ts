/**
 * The people and programs to tell about backups: the `notify` table of the config file. Secrets are in files or in variables, or come from
 * a command. The address of a heartbeat is a secret itself. It may be in the table, and logferry never prints it.
 */
import { z } from "zod";
import { isLoopbackHost } from "../../transforms/text/loopback-host.ts";
import { didYouMean } from "../../transforms/text/suggestions.ts";
import { explainZod } from "../../transforms/text/zod-messages.ts";
import { DURATION_EXPECTED, durationMs } from "../wording/durations.ts";

/** The events to tell. Silence: the last good backup is too old. */
export const EVENTS = ["success", "failure", "silence"] as const;
/** The name of an event. */
export type NotifyEvent = (typeof EVENTS)[number];

const duration = z
  .string()
  .refine((text) => durationMs(text) !== undefined, `expected ${DURATION_EXPECTED}`)
  .transform((text) => durationMs(text) ?? 0);
const text = z.string().min(1).max(1_000);
const words = z.array(text).min(1).max(100);
const events = z.array(z.enum(EVENTS)).min(1);
const listOf = <T extends z.ZodType>(type: T) =>
  z.union([type.transform((one) => [one]), z.array(type).min(1).max(20)] as const);
const address = z
  .string()
  .regex(/^[^\s<>,;"]{1,100}@[^\s<>,;"@]{1,200}$|^[^<>\r\n]{1,100} <[^\s<>,;"]{1,100}@[^\s<>,;"@]{1,200}>$/, {
    error: "expected an address such as ana@example.org",
  });

const heartbeat = z
  .strictObject({
    url: text.optional(),
    "url-file": text.optional(),
    method: z.enum(["GET", "POST"]).default("GET"),
    start: z.boolean().default(false),
    fail: z.boolean().default(true),
    on: events.default([...EVENTS]),
  })
  .superRefine((spec, context) => {
    if (spec.url !== undefined && spec["url-file"] !== undefined)
      context.addIssue({ code: "custom", path: ["url-file"], message: "there is a url already: expected one of them" });
    const problem = spec.url === undefined ? undefined : heartbeatProblem(spec.url);
    if (problem !== undefined) context.addIssue({ code: "custom", path: ["url"], message: problem });
  });

const command = z
  .strictObject({
    run: z.union([words, text]),
    shell: z.boolean().default(false),
    timeout: duration.default(60_000),
    on: events.default(["failure", "silence"]),
  })
  .superRefine(({ run, shell }, context) => {
    if (shell !== (typeof run === "string")) {
      const message = shell
        ? "expected a line for the shell, as shell: true says"
        : 'expected a list, the program and its words: ["/usr/bin/notify", "backup"]; a line for the shell needs shell: true';
      context.addIssue({ code: "custom", path: ["run"], message });
    }
  });

const mail = z
  .strictObject({
    host: z.string().regex(/^[\w.:[\]-]{1,253}$/, { error: "expected the name of a server" }),
    port: z.int().min(1).max(65_535).optional(),
    tls: z.enum(["starttls", "implicit", "none"]).default("starttls"),
    user: text.optional(),
    "password-file": text.optional(),
    "password-command": words.optional(),
    from: address,
    to: listOf(address),
    on: events.default(["failure", "silence"]),
    "remind-after": duration.default(7 * 86_400_000),
  })
  .superRefine((spec, context) => {
    const complain = (key: string, message: string) => context.addIssue({ code: "custom", path: [key], message });
    if (spec.tls === "none" && !isLoopbackHost(spec.host))
      complain("tls", "none is for a server on this machine alone");
    if (spec["password-file"] !== undefined && spec["password-command"] !== undefined)
      complain("password-command", "there is a password-file already: expected one of them");
    if (spec.user === undefined && (spec["password-file"] ?? spec["password-command"]) !== undefined)
      complain("user", "a password needs one");
  });

const notify = z.strictObject({
  heartbeat: listOf(heartbeat).optional(),
  command: listOf(command).optional(),
  mail: listOf(mail).optional(),
});

/** The people and programs to tell, and how. */
export type NotifySettings = z.infer<typeof notify>;
/** An address to call after each backup. A watchdog there raises an alarm when no call comes. */
export type Heartbeat = z.infer<typeof heartbeat>;
/** A program to start after an event. */
export type CommandHook = z.infer<typeof command>;
/** A mail to send after an event. */
export type Mail = z.infer<typeof mail>;

/**
 * Reads the `notify` table; gives empty settings without a table.
 *
 * @param fail called with the key, from `notify` on, and the problem; it throws
 */
export function notifySettings(
  value: unknown,
  fail: (key: readonly string[], message: string) => never,
): NotifySettings {
  if (value === undefined || value === null) return {};
  const { data, error } = notify.safeParse(value);
  if (data !== undefined) return data;
  const [issue] = error.issues.flatMap(innermost);
  if (issue === undefined) return fail(["notify"], "can't be used");
  const path = ["notify", ...issue.path.map(String)];
  if (issue.code !== "unrecognized_keys") return fail(path, explainZod(issue));
  const [key = ""] = issue.keys;
  return fail([...path, key], `there is no such key${didYouMean(key, keysAt(path))}`);
}

/** For a table that may be single or in a list: the problem with the form that the person meant. */
function innermost(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== "invalid_union") return [issue];
  const forms = issue.errors.filter(
    (errors) => !errors.some(({ code, path }) => code === "invalid_type" && path.length === 0),
  );
  const [meant] = forms.length === 0 ? issue.errors : forms;
  return (meant ?? []).map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] })).flatMap(innermost);
}

function keysAt([, table]: readonly string[]): string[] {
  const shapes: Readonly<Record<string, object>> = {
    heartbeat: heartbeat.shape,
    command: command.shape,
    mail: mail.shape,
  };
  return Object.keys(table === undefined ? shapes : (shapes[table] ?? {}));
}

/** The problem with a heartbeat's address. It is a secret, so it must use https, or go to this machine. */
export function heartbeatProblem(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:"))
    return "expected an address: https://...";
  return url.protocol === "http:" && !isLoopbackHost(url.hostname)
    ? "expected https (http only to this machine)"
    : undefined;
}
