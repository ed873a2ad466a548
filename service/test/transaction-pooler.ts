/**
 * A pooler between a service and its PostgreSQL, which gives every transaction another connection. PgBouncer does so with
 * `pool_mode = transaction`. Like PgBouncer it refuses settings that a client asks for when it connects.
 */
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import pg from "pg";

/** A pooler that runs. */
export interface Pooler {
  /** The server's address, through this pooler. */
  readonly address: string;
  /** What transactions left behind on any connection: settings, prepared statements, locks and temporary tables, by name. */
  readonly leftovers: () => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
}

/** Connections to the server. */
const CONNECTIONS = 4;

/** What a client may ask for when it connects. PgBouncer refuses the rest, too, unless it is told to ignore it. */
const STARTUP: ReadonlySet<string> = new Set(["user", "database", "client_encoding", "application_name"]);

const LEFTOVERS = `SELECT name FROM pg_settings WHERE source = 'session' UNION ALL SELECT name FROM pg_prepared_statements
  UNION ALL SELECT locktype FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()
  UNION ALL SELECT relname FROM pg_class WHERE relpersistence = 't'`;

/** @param address `postgres://user:password@host:port/name` */
export async function poolTransactions(address: string): Promise<Pooler> {
  const servers = await Promise.all(Array.from({ length: CONNECTIONS }, () => connected(address)));
  const free = [...servers];
  const waiting: ((server: Socket) => void)[] = [];
  const clients = new Set<Socket>();
  const hand = () => {
    while (waiting.length > 0 && free.length > 0) waiting.shift()?.(free.shift() as Socket);
  };
  const take = () =>
    new Promise<Socket>((resolve) => {
      waiting.push(resolve);
      hand();
    });
  const give = (server: Socket) => {
    free.push(server);
    hand();
  };
  const listener = createServer((client) => {
    clients.add(client);
    client.on("close", () => clients.delete(client)).on("error", () => {});
    client.once("data", (startup: Buffer) => {
      const asked = startup.toString("latin1", 8).split("\0");
      const refused = asked.filter((name, index) => index % 2 === 0 && name !== "" && !STARTUP.has(name));
      if (refused.length > 0) return void client.end(refusal(`unsupported startup parameter: ${refused[0]}`));
      client.write(WELCOME);
      return serve(client, take, give);
    });
  });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const url = new URL(address);
  url.port = String((listener.address() as { port: number }).port);
  return {
    address: url.href,
    leftovers: async () => {
      const client = new pg.Client({ connectionString: url.href });
      await client.connect();
      const names: string[] = [];
      // The connections take turns, so as many questions ask each of them.
      for (let each = 0; each < CONNECTIONS; each++)
        names.push(...(await client.query(LEFTOVERS)).rows.map((row) => String(row.name)));
      await client.end();
      return names;
    },
    close: async () => {
      for (const socket of [...clients, ...servers]) socket.destroy();
      listener.close();
      await once(listener, "close");
    },
  };
}

/** A connection that is through with its password, without pg's own reading of it. */
async function connected(address: string): Promise<Socket> {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  const { stream } = (client as unknown as { readonly connection: { readonly stream: Socket } }).connection;
  stream.removeAllListeners("data").on("error", () => {});
  client.on("error", () => {});
  return stream;
}

/** Passes what a client sends to a server of its own for each transaction. */
function serve(client: Socket, take: () => Promise<Socket>, give: (server: Socket) => void): void {
  let server: Promise<Socket> | undefined;
  client.on("data", async (bytes: Buffer) => {
    if (server === undefined && bytes[0] === TERMINATE) return;
    server ??= take().then((taken) => {
      const onEnd = readTransaction((out, isOver) => {
        if (isOver) {
          taken.off("data", onEnd);
          server = undefined;
          give(taken);
        }
        client.write(out);
      });
      return taken.on("data", onEnd);
    });
    (await server).write(bytes);
  });
}

const TERMINATE = "X".charCodeAt(0);
const READY = "Z".charCodeAt(0);
const IDLE = "I".charCodeAt(0);

/** Cuts what a server sends into messages. @param pass gets whole messages, and whether the transaction is over with them */
function readTransaction(pass: (out: Buffer, isOver: boolean) => void): (bytes: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    let end = 0;
    let isOver = false;
    while (rest.length >= end + 5 && rest.length >= end + 1 + rest.readInt32BE(end + 1)) {
      isOver = rest[end] === READY && rest[end + 5] === IDLE;
      end += 1 + rest.readInt32BE(end + 1);
    }
    const out = rest.subarray(0, end);
    rest = rest.subarray(end);
    if (out.length > 0) pass(out, isOver);
  };
}

function message(type: string, body: Buffer): Buffer {
  const head = Buffer.from(`${type}....`);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

/** "You are in, your number is 0, and I am ready." */
const WELCOME = Buffer.concat([
  message("R", Buffer.alloc(4)),
  message("K", Buffer.alloc(8)),
  message("Z", Buffer.from("I")),
]);

function refusal(text: string): Buffer {
  return message("E", Buffer.from(`SFATAL\0C08P01\0M${text}\0\0`));
}
