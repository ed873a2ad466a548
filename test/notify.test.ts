import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { selfSigned } from "./support/certificate.ts";
import { jsonLines } from "./support/cli.ts";
import { runHere } from "./support/here.ts";
import { nightClock } from "./support/night-clock.ts";
import { type Ran, type Rehearsal, rehearse } from "./support/rehearsal.ts";
import { type SmtpServer, smtpServer } from "./support/smtp-server.ts";

// Messages about how a backup went: over real SMTP, over real HTTP, and by a real program. Nights follow each other by a clock that the test sets.

let log: Rehearsal;
let smtp: SmtpServer;
let monitor: Server;
let beats: { readonly asked: string; readonly body: string }[] = [];
let answer = 200;
let round = 0;

/** Whether a process runs. A process that ended, but was not yet collected, counts as ended. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const stat = `/proc/${pid}/stat`;
  return !existsSync(stat) || !/\) Z /.test(readFileSync(stat, "utf8"));
}

/** Secrets. No output and no file may contain them. */
const SECRETS = ["hc-4711-secret", "smtp-4711-secret"];

beforeAll(async () => {
  log = await rehearse();
  smtp = await smtpServer();
  monitor = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += chunk));
    request.on("end", () => {
      beats.push({ asked: `${request.method} ${request.url}`, body });
      response.statusCode = answer;
      response.end("OK");
    });
  });
  monitor.listen(0, "127.0.0.1");
  await once(monitor, "listening");
});
afterAll(async () => {
  monitor.close();
  monitor.closeAllConnections();
  await smtp.close();
  await log.close();
});
beforeEach(() => {
  beats = [];
  answer = 200;
  smtp.refuse(undefined);
  (smtp.mails as unknown[]).length = 0;
  mkdirSync(folder(++round));
});

const folder = (number = round) => join(log.folder, `round-${number}`);
const repository = () => join(folder(), "repository");
const monitorPort = () => (monitor.address() as AddressInfo).port;

/** A command at a time, with a config file that holds the `notify` table. */
async function at(time: string, notify: string, words: readonly string[], isRevoked = false): Promise<Ran> {
  const config = join(folder(), "config.yaml");
  writeFileSync(config, `notify:\n${notify.replaceAll(/^/gm, "  ")}\n`);
  const clock = nightClock(time, "2100-01-01T00:00:00Z");
  const ran = await runHere(log, [...words, "--repository", repository(), "--patience", "0", "--config", config], {
    clock,
    ...(isRevoked && { token: "taken-back" }),
    environment: { LOGFERRY_SMTP_PASSWORD: SECRETS[1] ?? "", PATH: process.env.PATH ?? "" },
  });
  for (const secret of SECRETS) expect(`${ran.out}${ran.err}`).not.toContain(secret);
  return ran;
}

const backUp = (time: string, notify: string, isRevoked = false) => at(time, notify, ["backup", "--quiet"], isRevoked);

/** Status takes no --patience. */
async function ask(time: string, notify: string): Promise<Ran> {
  const config = join(folder(), "config.yaml");
  writeFileSync(config, `notify:\n${notify.replaceAll(/^/gm, "  ")}\n`);
  return runHere(log, ["status", "--max-age", "26h", "--quiet", "--repository", repository(), "--config", config], {
    clock: nightClock(time, "2100-01-01T00:00:00Z"),
    environment: { LOGFERRY_SMTP_PASSWORD: SECRETS[1] ?? "" },
  });
}

const subjects = () => smtp.mails.map(({ text }) => /^Subject: (.*)$/im.exec(text)?.[1]);

describe("by mail", () => {
  const mail = () =>
    `mail: { host: 127.0.0.1, port: ${smtp.port}, tls: none, user: ana, from: "logferry <log@example.org>", to: [ana@example.org, bo@example.org] }`;

  test("one when it begins to fail, one after a week of it, one when all is well again, and none in between", async () => {
    expect(await backUp("2026-06-01T02:30:00Z", mail())).toMatchObject({ code: 0, out: "", err: "" });
    expect(smtp.mails).toEqual([]);
    for (let day = 2; day <= 12; day++) await backUp(`2026-06-${String(day).padStart(2, "0")}T02:30:00Z`, mail(), true);
    expect(subjects()).toEqual([
      "logferry (default): the backup failed",
      "logferry (default): the backup failed, still",
    ]);
    const [first] = smtp.mails;
    expect(first).toMatchObject({ from: "log@example.org", to: ["ana@example.org", "bo@example.org"] });
    // What happened, what to do, and where the log is.
    expect(first?.text).toMatch(
      /\n\nCannot read the user: [^\n]* 401 [^\n]*\n\nWhat to do: [^\n]*logferry login [^\n]*\n/,
    );
    expect(first?.text).toContain(`Repository: ${repository()}\n`);
    const file = /^Log: +(.*)$/m.exec(first?.text ?? "")?.[1] ?? "";
    expect(readFileSync(file, "utf8").split("\n")).toHaveLength(13);
    expect(await backUp("2026-06-13T02:30:00Z", mail())).toMatchObject({ code: 0 });
    await backUp("2026-06-14T02:30:00Z", mail());
    expect(subjects().slice(2)).toEqual(["logferry (default): backed up again"]);
    expect(new Set(smtp.logins)).toEqual(new Set([`ana ${SECRETS[1]}`]));
  });

  test("silence is told once, not again by the nights that fail, and is over with the next good backup", async () => {
    await backUp("2026-06-01T02:30:00Z", mail());
    expect(await ask("2026-06-02T02:00:00Z", mail())).toMatchObject({ code: 0, out: "", err: "" });
    expect(await ask("2026-06-02T10:00:00Z", mail())).toMatchObject({ code: 7, err: "" });
    expect(await ask("2026-06-03T10:00:00Z", mail())).toMatchObject({ code: 7 });
    await backUp("2026-06-04T02:30:00Z", mail(), true);
    expect(subjects()).toEqual(["logferry (default): the backups have stopped"]);
    expect(smtp.mails[0]?.text).toContain("Last good backup: 31 h 30 min ago");
    await backUp("2026-06-05T02:30:00Z", mail());
    expect(subjects()).toHaveLength(2);
  });

  test("who was not told is told the next time; the backup counts all the same, and the exit code is 3", async () => {
    const always = mail().replace(" }", ", on: [success, failure] }");
    smtp.refuse(`550 \u001b[31mno ${SECRETS[1]}`);
    const ran = await backUp("2026-06-01T02:30:00Z", always);
    expect(ran).toMatchObject({ code: 3, out: "" });
    expect(ran.err).toBe("Cannot tell by mail: the mail server answered 550\n");
    smtp.refuse("550 \u001b[31mno");
    const failed = await backUp("2026-06-02T02:30:00Z", always, true);
    expect(failed.code).toBe(4);
    expect(failed.err).toContain("Cannot tell by mail: the mail server answered 550 (");
    expect(failed.err).not.toContain("\u001b");
    smtp.refuse(undefined);
    await backUp("2026-06-03T02:30:00Z", always, true);
    expect(subjects()).toEqual(["logferry (default): the backup failed"]);
  });

  test("a server elsewhere is spoken to encrypted or not at all", async () => {
    const plain = mail().replace("tls: none, ", "").replace(" }", ", on: [success] }");
    const ran = await backUp("2026-06-01T02:30:00Z", plain);
    expect(ran.code).toBe(3);
    expect(ran.err).toMatch(/^Cannot tell by mail: the mail server /);
    expect(smtp.mails).toEqual([]);
    await expect(backUp("2026-06-01T02:30:00Z", mail().replace("127.0.0.1", "smtp.example.org"))).rejects.toThrow(
      "config.yaml line 2: notify.mail.tls: none is for a server on this machine alone",
    );
  });
});

describe("by mail, encrypted", () => {
  test("whom nobody vouches for gets no mail and no password; who is trusted gets both, from the first byte on or by STARTTLS", async () => {
    const certified = selfSigned({ host: "127.0.0.1" });
    const servers = [
      await smtpServer({ how: "starttls", ...certified }),
      await smtpServer({ how: "implicit", ...certified }),
    ];
    try {
      const [first, second] = servers.map(({ port }) => port);
      const common = "host: 127.0.0.1, user: ana, from: log@example.org, to: ana@example.org, on: [success]";
      const config = join(folder(), "config.yaml");
      writeFileSync(
        config,
        `notify:\n  mail:\n    - { port: ${first}, ${common} }\n    - { port: ${second}, tls: implicit, ${common} }\n`,
      );
      const authority = join(folder(), "authority.pem");
      writeFileSync(authority, certified.cert);
      const words = ["backup", "--quiet", "--repository", repository(), "--config", config];
      const env = { LOGFERRY_SMTP_PASSWORD: SECRETS[1] ?? "" };
      const refused = await log.run(words, { env });
      expect(refused).toMatchObject({ code: 3, out: "" });
      expect(refused.err.match(/^Cannot tell by (mail|mail 2): the mail server can't be used \(\w+\)$/gm)).toHaveLength(
        2,
      );
      for (const { mails, logins } of servers) expect([...mails, ...logins]).toEqual([]);
      expect(await log.run(words, { env: { ...env, NODE_EXTRA_CA_CERTS: authority } })).toMatchObject({
        code: 0,
        out: "",
        err: "",
      });
      for (const { mails, logins } of servers) expect([mails.length, logins]).toEqual([1, [`ana ${SECRETS[1]}`]]);
    } finally {
      for (const server of servers) await server.close();
    }
  });
});

describe("by heartbeat", () => {
  const heartbeat = (more = "") => `heartbeat: { url: "http://127.0.0.1:${monitorPort()}/${SECRETS[0]}"${more} }`;

  test("the beginning, a success, a failure and silence each have their address, and a POST brings the sentence", async () => {
    const full = heartbeat(", start: true, method: POST");
    await backUp("2026-06-01T02:30:00Z", full);
    await backUp("2026-06-02T02:30:00Z", full, true);
    await ask("2026-06-02T10:30:00Z", full);
    expect(beats.map(({ asked }) => asked.replace(SECRETS[0] ?? "", "ID"))).toEqual([
      "POST /ID/start",
      "POST /ID",
      "POST /ID/start",
      "POST /ID/fail",
      "POST /ID/fail",
    ]);
    expect(beats[1]?.body).toMatch(/^Snapshot [0-9a-f]{8}: an empty log/);
    expect(beats[4]?.body).toContain("TOO OLD: it may be 26h");
  });

  test("a monitor without such addresses hears of good backups alone; one that can't be reached is told of without its address", async () => {
    const plain = heartbeat(", fail: false");
    await backUp("2026-06-01T02:30:00Z", plain);
    await backUp("2026-06-02T02:30:00Z", plain, true);
    expect(beats).toEqual([{ asked: `GET /${SECRETS[0]}`, body: "" }]);
    answer = 404;
    expect(await backUp("2026-06-03T02:30:00Z", plain)).toMatchObject({
      code: 3,
      out: "",
      err: "Cannot tell by heartbeat: it answered 404\n",
    });
    const gone = `heartbeat:\n  - url: "http://127.0.0.1:9/${SECRETS[0]}"`;
    const ran = await backUp("2026-06-04T02:30:00Z", gone);
    expect(ran).toMatchObject({ code: 3, err: "Cannot tell by heartbeat: it can't be reached (ECONNREFUSED)\n" });
    const written = readdirSync(folder(), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name !== "config.yaml")
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"));
    for (const secret of SECRETS) expect(written.join("\n")).not.toContain(secret);
  });
});

describe("by command", () => {
  /** A program that writes down its variables and its input. */
  function program(body: string): string {
    const path = join(folder(), "tell 'them'");
    writeFileSync(path, `#!/bin/sh\n${body}\n`);
    chmodSync(path, 0o755);
    return path;
  }

  test("it is told by variables and by JSON what happened, in words that no shell reads, and gets no secret", async () => {
    const path = program('env > "$1"; cat > "$1.json"');
    const out = join(folder(), "$(touch oops) heard");
    const command = `command: { run: ${JSON.stringify([path, out])}, on: [success, failure, silence] }`;
    await backUp("2026-06-01T02:30:00Z", command);
    expect(readFileSync(out, "utf8")).toContain("\nBACKUP_EVENT=success\n");
    await backUp("2026-06-02T02:30:00Z", command, true);
    const variables = readFileSync(out, "utf8");
    expect(variables).toMatch(/^BACKUP_EVENT=failure$/m);
    expect(variables).toMatch(/^BACKUP_EXIT_CODE=4$/m);
    expect(variables).toMatch(/^BACKUP_CHANGED=true$/m);
    for (const secret of [...SECRETS, log.token]) expect(variables).not.toContain(secret);
    expect(JSON.parse(readFileSync(`${out}.json`, "utf8"))).toMatchObject({
      event: "failure",
      exitCode: 4,
      profile: "default",
      repository: repository(),
      sentence: expect.stringContaining("answered 401"),
      changed: true,
    });
    await backUp("2026-06-03T02:30:00Z", command, true);
    expect(JSON.parse(readFileSync(`${out}.json`, "utf8"))).toMatchObject({ changed: false });
  });

  test("one that fails or never ends is said, in words that drive no terminal, and fails no backup", async () => {
    const path = program(`printf '\\033[2Jno\\n' >&2; exit 4`);
    const ran = await backUp("2026-06-01T02:30:00Z", `command: { run: [${JSON.stringify(path)}], on: [success] }`);
    expect(ran).toMatchObject({ code: 3, err: "Cannot tell by command: it ended with 4: \\x1b[2Jno\n" });
    // A shell's child holds the output open. It ends with the shell.
    const endless = `command:\n  run: "sleep 1000 & echo $! > '${join(folder(), "child")}'; wait"\n  shell: true\n  timeout: 1s\n  on: [success]`;
    const late = await backUp("2026-06-02T02:30:00Z", endless);
    expect(late).toMatchObject({ code: 3, err: "Cannot tell by command: it took longer than 1 s and was ended\n" });
    const child = Number(readFileSync(join(folder(), "child"), "utf8"));
    expect(isAlive(child)).toBe(false);
    const none = await backUp("2026-06-03T02:30:00Z", "command: { run: [/nowhere/tell], on: [success] }");
    expect(none.err).toBe("Cannot tell by command: it can't be started: there is no such file or folder\n");
  });

  test("--json says who was told", async () => {
    const ran = await at("2026-06-01T02:30:00Z", "command: { run: [/bin/true], on: [success] }", ["backup", "--json"]);
    expect(jsonLines(ran.out).filter(({ type }) => type === "notification")).toEqual([
      { type: "notification", channel: "command", isSent: true },
    ]);
  });
});

describe("settings that can't be used are named with their line", () => {
  test.each([
    ["mial: {}", 'line 2: notify.mial: there is no such key; did you mean "mail"?'],
    [
      "heartbeat:\n  urll: https://hc.example/x",
      'line 3: notify.heartbeat.urll: there is no such key; did you mean "url"?',
    ],
    [
      "heartbeat:\n  - url: http://hc.example/x",
      "line 3: notify.heartbeat.0.url: expected https (http only to this machine)",
    ],
    ["heartbeat:\n  on: [succes]", "line 3: notify.heartbeat.on.0: expected success, failure or silence"],
    ["command:\n  run: rm -rf /", "line 3: notify.command.run: expected a list, the program and its words"],
    ["command:\n  run: [/bin/true]\n  timeout: soon", "line 4: notify.command.timeout: expected a duration such as"],
    [
      "mail:\n  host: localhost\n  from: me\n  to: ana@example.org",
      "line 4: notify.mail.from: expected an address such as",
    ],
    ["mail:\n  host: localhost\n  from: ana@example.org", "line 2: notify.mail.to: "],
  ])("%j", async (notify, message) => {
    await expect(backUp("2026-06-01T02:30:00Z", notify)).rejects.toThrow(message);
  });
});
