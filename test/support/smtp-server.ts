/** A mail server on this machine: takes what is sent to it and keeps it, as RFC 5321 has it, with a login where one is asked for. */
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer, type Server, type Socket } from "node:net";

/** A mail as it came. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Headers and body, decoded. */
  readonly text: string;
}

/** A running one. */
export interface SmtpServer {
  readonly port: number;
  readonly mails: readonly ReceivedMail[];
  /** What clients logged in with: `user password`. */
  readonly logins: readonly string[];
  /** From now on answers this to what a mail is from. */
  refuse(answer: string | undefined): void;
  close(): Promise<void>;
}

/** Starts one. */
export async function smtpServer(): Promise<SmtpServer> {
  const mails: ReceivedMail[] = [];
  const logins: string[] = [];
  let refusal: string | undefined;
  const server: Server = createServer((socket) => converse(socket, mails, logins, () => refusal));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    mails,
    logins,
    refuse(answer) {
      refusal = answer;
    },
    async close() {
      server.close();
      await once(server, "close");
    },
  };
}

function converse(socket: Socket, mails: ReceivedMail[], logins: string[], refusal: () => string | undefined): void {
  let pending = "";
  let isData = false;
  let data = "";
  let from = "";
  let to: string[] = [];
  const say = (line: string) => socket.write(`${line}\r\n`);
  const answers: readonly (readonly [RegExp, (rest: string) => void])[] = [
    [/^EHLO /i, () => say("250-mail.test\r\n250 AUTH PLAIN")],
    [
      /^AUTH PLAIN /i,
      (rest) => {
        logins.push(Buffer.from(rest, "base64").toString().split("\0").slice(1).join(" "));
        say("235 welcome");
      },
    ],
    [
      /^MAIL FROM:/i,
      (rest) => {
        from = /<(.*?)>/.exec(rest)?.[1] ?? "";
        say(refusal() ?? "250 ok");
      },
    ],
    [
      /^RCPT TO:/i,
      (rest) => {
        to.push(/<(.*?)>/.exec(rest)?.[1] ?? "");
        say("250 ok");
      },
    ],
    [
      /^DATA/i,
      () => {
        isData = true;
        say("354 go on");
      },
    ],
    [/^STARTTLS/i, () => say("502 not here")],
    [/^QUIT/i, () => socket.end("221 bye\r\n")],
    [/^/, () => say("250 ok")],
  ];
  say("220 mail.test");
  socket.on("error", () => undefined);
  socket.setEncoding("utf8").on("data", (piece: string) => {
    pending += piece;
    for (let end = pending.indexOf("\r\n"); end >= 0; end = pending.indexOf("\r\n")) {
      const line = pending.slice(0, end);
      pending = pending.slice(end + 2);
      if (!isData) {
        const [pattern, answer] = answers.find(([words]) => words.test(line)) ?? [];
        answer?.(line.replace(pattern ?? "", ""));
      } else if (line === ".") {
        mails.push({ from, to, text: decoded(data) });
        [isData, data, to] = [false, "", []];
        say("250 taken");
      } else data += `${line.replace(/^\./, "")}\n`;
    }
  });
}

/** A mail of one part, its body decoded from quoted-printable or base64 where it is. */
function decoded(mail: string): string {
  const [head = "", ...rest] = mail.split("\n\n");
  const body = rest.join("\n\n");
  if (/^content-transfer-encoding: base64/im.test(head)) return `${head}\n\n${Buffer.from(body, "base64").toString()}`;
  if (!/^content-transfer-encoding: quoted-printable/im.test(head)) return mail;
  const bytes = body
    .replace(/=\n/g, "")
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return `${head}\n\n${Buffer.from(bytes, "latin1").toString()}`;
}
