/** Logs of many people, as small as a log can be: a name from the token, the workouts that were sent, and nothing checked. Only for measurements. */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** A service with these logs. */
export interface SimulatedLogs {
  readonly url: string;
  /** How many workouts each token sent. */
  readonly sent: ReadonlyMap<string, number>;
  /** Requests so far. */
  requests(): number;
  close(): Promise<void>;
}

type Workout = Record<string, unknown> & { readonly id: string };

const PREFERENCE = { utcOffset: 1, distanceUnit: "km", weightUnit: "kg", temperatureUnit: "C" };
const ACTIVITIES = [{ activityID: 10, activityName: "Run", workoutTypes: [{ workoutID: 1, workoutName: "Easy" }] }];

/** Starts the service. A token is a name: the log of `t17` is that of `runner_17`. */
export async function startSimulatedLogs(): Promise<SimulatedLogs> {
  const logs = new Map<string, Workout[]>();
  const sent = new Map<string, number>();
  let requests = 0;
  const server = createServer(async (message, response) => {
    requests++;
    const url = new URL(message.url ?? "/", "http://simulated");
    const token = url.searchParams.get("access_token") ?? "";
    const log = logs.get(token) ?? [];
    logs.set(token, log);
    const body = message.method === "POST" ? await bodyOf(message) : undefined;
    if (body !== undefined) {
      log.push({ ...body, id: `${token}-${log.length + 1}` });
      sent.set(token, log.length);
    }
    const data = body === undefined ? answer(url.pathname, token, log) : { id: log.at(-1)?.id };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ code: 0, data }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent,
    requests: () => requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function answer(path: string, token: string, log: readonly Workout[]): object {
  const person = { givenName: "Made", familyName: token, email: `${token}@example.org` };
  const listed = (entries: readonly object[]) => ({ entries, numEntries: entries.length });
  const [, id] = /\/workouts\/(.+)$/.exec(path) ?? [];
  if (id !== undefined) return { workout: log.find((one) => one.id === id) };
  const lists: Readonly<Record<string, readonly object[]>> = {
    "/rest/logs/me/activity_types": ACTIVITIES,
    "/rest/logs/me/workouts": log,
  };
  if (path.endsWith("/preference")) return { preference: PREFERENCE };
  if (path.endsWith("/users/me")) return { screenName: token.replace("t", "runner_"), person, preference: PREFERENCE };
  return listed(lists[path] ?? []);
}

async function bodyOf(message: IncomingMessage): Promise<Record<string, unknown>> {
  let text = "";
  for await (const chunk of message) text += String(chunk);
  return JSON.parse(text) as Record<string, unknown>;
}
