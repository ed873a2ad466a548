/** The client of the tests: bare HTTP, without any code of the product's own client, so that the two can't share a misunderstanding. */
import { request } from "undici";
import { addDemoUser, type DemoOptions } from "../demo.ts";
import { type Service, type ServiceOptions, startService } from "../server.ts";
import { type NewDatabase, STORES } from "./stores.ts";

/** One answer, of any status. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** The body as JSON; undefined where it isn't JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly json: any;
}

/** The parts of a request besides method and path. */
export interface Sending {
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  /** An object goes as JSON. Bytes and text go as they are, with no type unless `headers` gives one. */
  readonly body?: object | Uint8Array | string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends one request. `path` may already have a query. */
export async function send(url: string, method: string, path: string, sending: Sending = {}): Promise<Answer> {
  const address = new URL(path, url);
  for (const [name, value] of Object.entries(sending.query ?? {})) address.searchParams.append(name, String(value));
  const { body } = sending;
  const isPlain = body === undefined || typeof body === "string" || body instanceof Uint8Array;
  const answer = await request(address, {
    method: method as "GET",
    body: isPlain ? (body ?? null) : JSON.stringify(body),
    headers: { ...(!isPlain && { "content-type": "application/json" }), ...sending.headers },
  });
  const text = await answer.body.text();
  return { status: answer.statusCode, headers: answer.headers, text, json: jsonOf(text) };
}

/** A user with a token, at a service. */
export interface Person {
  readonly userId: string;
  readonly token: string;
  /** Sends with the person's token. */
  readonly send: (method: string, path: string, sending?: Sending) => Promise<Answer>;
  /** Posts a body and gives the id of the answer. Throws when the answer isn't a success. */
  readonly save: (path: string, body: object) => Promise<string>;
}

/** A new user of a service. */
export async function person(service: Service, options: DemoOptions = {}): Promise<Person> {
  const { userId, token } = await addDemoUser(service, options);
  const sendAs: Person["send"] = (method, path, sending = {}) =>
    send(service.url, method, path, { ...sending, query: { access_token: token, ...sending.query } });
  const save: Person["save"] = async (path, body) => {
    const answer = await sendAs("POST", path, { body });
    if (answer.status !== 200) throw new Error(`POST ${path} was answered ${answer.status} ${answer.text}`);
    return answer.json.data.id;
  };
  return { userId, token, send: sendAs, save };
}

let newDatabase: NewDatabase = STORES["SQLite in memory"];

/** From here on `service` uses this kind of database. It is for a test file that repeats other tests on another database. */
export function keepLogsIn(store: keyof typeof STORES): void {
  newDatabase = STORES[store];
}

/** A service with an empty log on a free port. The log is in memory, unless `keepLogsIn` says otherwise. */
export async function service(options: Omit<ServiceOptions, "database"> = {}): Promise<Service> {
  return startService({ ...options, database: await newDatabase() });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
