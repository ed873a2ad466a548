/** A mail server on this machine. It takes mails and keeps them, as RFC 5321 has it, with a login where one is asked for. */
import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, TLSSocket } from "node:tls";
import type { Certified } from "./certificate.ts";

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
  /** The logins of clients: `user password`. */
  readonly logins: readonly string[];
  /** From now on gives this answer to the sender line (MAIL FROM) of a mail. */
  refuse(answer: string | undefined): void;
  close(): Promise<void>;
}

/** How a server encrypts: from the first byte on, or when it is asked to. */
export interface Encryption extends Certified {
  readonly how: "implicit" | "starttls";
}

/** Starts one. */
export async function smtpServer(encryption?: Encryption): Promise<SmtpServer> {
  const mails: ReceivedMail[] = [];
  const logins: string[] = [];
  let refusal: string | undefined;
  const talk = (socket: Socket) => converse({ socket, mails, logins, refusal: () => refusal, encryption });
  const server: Server = encryption?.how === "implicit" ? createTlsServer({ ...encryption }, talk) : createServer(talk);
  server.on("tlsClientError", () => undefined);
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

interface Conversation {
  readonly socket: Socket;
  readonly mails: ReceivedMail[];
  readonly logins: string[];
  readonly refusal: () => string | undefined;
  readonly encryption: Encryption | undefined;
}

/** @param isGreeted whether the client was greeted before, and the conversation goes on encrypted */
function converse(conversation: Conversation, isGreeted = false): void {
  const { socket, mails, logins, refusal, encryption } = conversation;
  let pending = "";
  let isData = false;
  let data = "";
  let from = "";
  let to: string[] = [];
  const canStart = () => encryption?.how === "starttls" && !(socket instanceof TLSSocket);
  const say = (line: string) => socket.write(`${line}\r\n`);
  const answers: readonly (readonly [RegExp, (rest: string) => void])[] = [
    [/^EHLO /i, () => say(`250-mail.test\r\n${canStart() ? "250-STARTTLS\r\n" : ""}250 AUTH PLAIN`)],
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
    [
      /^STARTTLS/i,
      () => {
        if (!canStart()) return void say("502 not here");
        say("220 go on");
        socket.removeAllListeners("data");
        const encrypted = new TLSSocket(socket, { isServer: true, ...encryption });
        converse({ ...conversation, socket: encrypted }, true);
      },
    ],
    [/^QUIT/i, () => socket.end("221 bye\r\n")],
    [/^/, () => say("250 ok")],
  ];
  if (!isGreeted) say("220 mail.test");
  socket.on("error", () => undefined);
  socket.setEncoding("utf8").on("data", (chunk: string) => {
    pending += chunk;
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

/** A mail of one part. Its body is decoded if it is quoted-printable or base64. */
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
