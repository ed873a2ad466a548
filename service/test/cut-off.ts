/** A wire between a service and its PostgreSQL that a test can cut. */
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** A wire to a server. */
export interface Wire {
  /** The server's address, through this wire. */
  readonly address: string;
  /** Cuts the open connections and refuses new ones, until `mend`. */
  readonly cut: () => void;
  /** Answers each new connection as a PostgreSQL that is not ready yet, until `mend`. */
  readonly start: () => void;
  /** Cuts the open connections and answers new ones as to a role that may not connect, until `mend`. */
  readonly refuse: () => void;
  readonly mend: () => void;
  /** Cuts after a request with this text was answered, but before the answer has come through. @returns when it did */
  readonly cutAnswerTo: (text: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** @param address `postgres://user:password@host:port/name` */
export async function wireTo(address: string): Promise<Wire> {
  const url = new URL(address);
  const [host, port] = [url.hostname, Number(url.port)];
  const open = new Set<Socket>();
  let isCut = false;
  let answer: Buffer | undefined;
  let trap: { readonly text: string; readonly sprung: () => void } | undefined;
  const destroyAll = () => {
    for (const socket of open) socket.destroy();
  };
  const server = createServer((near) => {
    if (isCut) return void near.destroy();
    const said = answer;
    if (said !== undefined) return void near.on("error", () => {}).once("data", () => near.end(said));
    const far = connect(port, host);
    let isTrapped = false;
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on("close", () => open.delete(socket)).on("error", () => {});
    }
    near.on("close", () => far.destroy());
    far.on("close", () => near.destroy());
    near.on("data", (bytes) => {
      isTrapped ||= trap !== undefined && bytes.includes(trap.text);
      far.write(bytes);
    });
    far.on("data", (bytes) => {
      if (!isTrapped) return void near.write(bytes);
      near.destroy();
      trap?.sprung();
      trap = undefined;
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  url.port = String((server.address() as { port: number }).port);
  return {
    address: url.href,
    cut: () => {
      isCut = true;
      destroyAll();
    },
    start: () => {
      answer = STARTING;
    },
    refuse: () => {
      answer = REFUSED;
      destroyAll();
    },
    mend: () => {
      isCut = false;
      answer = undefined;
    },
    cutAnswerTo: (text) =>
      new Promise((resolve) => {
        trap = { text, sprung: resolve };
      }),
    close: async () => {
      destroyAll();
      server.close();
      await once(server, "close");
    },
  };
}

/** What a PostgreSQL that starts says. https://www.postgresql.org/docs/current/protocol-message-formats.html */
const STARTING = errorResponse("57P03", "the database system is starting up");

/** What it says to a role that may not connect: the code is that of any missing right. */
const REFUSED = errorResponse("42501", 'permission denied for database "fleet"');

function errorResponse(code: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0C${code}\0M${message}\0\0`);
  const head = Buffer.from("E0000");
  head.writeInt32BE(4 + fields.length, 1);
  return Buffer.concat([head, fields]);
}
