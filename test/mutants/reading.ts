/** How to call readers that need more than their input, and which errors are their own. */
import * as client from "../../connectors/api/client.ts";
import type { Clock } from "../../connectors/api/clock.ts";
import { openConnection } from "../../connectors/api/connection.ts";
import type { Outcome } from "../../connectors/api/exchange.ts";
import * as fromWire from "../../connectors/api/from-wire.ts";
import { listAllCourses, listAllWorkouts, markedEquipment } from "../../connectors/api/listing.ts";
import { OUT_OF_BAND, type PendingLogin } from "../../connectors/api/oauth.ts";
import { readLog } from "../../connectors/api/source.ts";
import type { Archive } from "../../connectors/containers/archive.ts";
import { ArchiveError } from "../../connectors/containers/archive-error.ts";
import type { Connector } from "../../connectors/contract.ts";
import { FatalError, TransferError } from "../../connectors/errors.ts";
import { decodeDeviceFile } from "../../connectors/formats/device-file.ts";
import type { Random } from "./random.ts";

/** Reads everything of an archive by a connector. */
export async function readBy(connector: Connector, archive: Archive): Promise<void> {
  const context = { signal: new AbortController().signal, report: () => {}, sports: new Map() };
  await connector.identify(archive);
  for await (const _ of connector.read(archive, context));
}

export const ofSource = (error: unknown) => error instanceof FatalError && error.reason === "source";
export const ofArchive = (error: unknown) => error instanceof ArchiveError || ofSource(error);

export function ofTransfer(error: unknown): boolean {
  return error instanceof TransferError && !/c4nary|s3cret|v3rifier/.test(error.message);
}

export const devices = (depth: "scan" | "decode") => (input: Buffer) => decodeDeviceFile(input, depth);

const still: Clock = { now: () => 1.6e12, date: () => 1.6e12, sleep: async () => {}, random: () => 0.5 };

/** No answer may cause more requests than this. */
const MOST_REQUESTS = 2_000;

/** Sends a random request to a log that answers everything with these bytes. */
export async function askLog(body: Buffer, random: Random): Promise<void> {
  const signal = new AbortController().signal;
  const status = random.of([
    ...Array<number>(40).fill(200),
    201,
    204,
    301,
    400,
    401,
    403,
    404,
    409,
    418,
    429,
    500,
    503,
  ]);
  let requests = 0;
  const connection = openConnection({
    baseUrl: "https://log.example",
    token: "c4nary",
    clock: still,
    pacing: {
      inFlight: 1,
      run: (send: () => Promise<Outcome>) => send(),
      pause: () => {},
      accepted: () => {},
      waiting: () => undefined,
    } as never,
    fetcher: {
      exchange: async () => {
        if (++requests > MOST_REQUESTS) throw new Error(`one answer caused more than ${MOST_REQUESTS} requests`);
        const header = random.once(4) ? body.subarray(0, 40).toString("latin1") : undefined;
        return { kind: "answer", status, retryAfter: header, date: header, location: header, body, cut: undefined };
      },
      close: async () => {},
    },
  });
  switch (random.below(8)) {
    case 0:
      return void fromWire.workoutFromWire(await client.getWorkout(connection, "a1", signal));
    case 1: {
      const listing = await listAllWorkouts(connection, signal);
      if (listing !== undefined) for await (const workout of listing) fromWire.workoutFromWire(workout);
      return;
    }
    case 2: {
      const listing = await listAllCourses(connection, signal);
      if (listing !== undefined) for await (const course of listing) fromWire.courseFromWire(course);
      return;
    }
    case 3:
      for (const piece of await markedEquipment(connection, signal)) fromWire.equipmentFromWire(piece);
      return;
    case 4:
      return void (await client.getUser(connection, signal));
    case 5:
      return void (await client.saveNewWorkout(connection, { activityID: 10, date: "2020-05-01" } as never, signal));
    case 6: {
      const grant = { clientId: "id", clientSecret: "s3cret", code: "c0de", redirectUri: "http://127.0.0.1:1/" };
      return void (await client.exchangeAuthorizationToken(connection, grant as never, signal));
    }
    default:
      for await (const _ of readLog(connection, signal));
  }
}

/** A login that waits for its answer. */
export const PENDING: PendingLogin = {
  address: "https://log.example/oauth2/authorize?client_id=id",
  baseUrl: "https://log.example",
  clientId: "id",
  redirectUri: OUT_OF_BAND,
  codeVerifier: "v3rifier",
  state: undefined,
};

export async function drained(pieces: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of pieces);
}

/** Throws errors that are not the reader's own. */
export function unless(mine: (error: unknown) => boolean): (error: unknown) => undefined {
  return (error) => {
    if (!mine(error)) throw error;
    return undefined;
  };
}
