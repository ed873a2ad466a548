/** Builds a request: its path, query and bytes. This file sends nothing. */
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { FILE_CONTENT_TYPE, LONGEST_ID } from "../../transforms/assumptions.ts";
import { ItemError } from "../errors.ts";
import { ASK_THE_SERVICE } from "./caches.ts";
import type { Operation } from "./operations.ts";

/** The parts that fill an operation: its path, its query, its body. */
export interface Parts {
  /** The log's id of the record, exactly as the log gave it. */
  readonly id?: string;
  /** The `{type}` of an import or a map. */
  readonly type?: "fit" | "gpx" | "tcx";
  /** Query parameters besides the token; undefined ones are left out. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent unchanged: a device file, a map. */
  readonly file?: Uint8Array;
  /** Sent form-encoded, to the token endpoint. */
  readonly form?: Readonly<Record<string, string>>;
}

/** A request that is ready to send. `path` holds the access token, so it must never go into a message. */
export interface WireRequest {
  readonly method: Operation["method"];
  readonly path: string;
  /** The path of the operation without ids, token and query: `/rest/logs/me/workouts/{id}`. It may be told to anybody. */
  readonly template: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
  /** Limit on the answer, in bytes. The rest is not read. */
  readonly answerCap: number;
  /** Whether it may leave now. A carrier asks right before the first byte, and withholds the request if the answer is false. */
  readonly mayLeave?: () => boolean;
}

/** Bodies up to this size are not packed: packed or not, they fit into the same few network packets. */
export const PACK_ABOVE_BYTES = 10_000;

/** Limits on an answer, in bytes: for a record, and for a listing of 100. */
export const ANSWER_CAPS = { record: 1 << 20, listing: 16 << 20 } as const;

/** Level 1 takes two thirds of the default's time for a FIT file, and its result is a hundredth larger. */
const pack = (bytes: Uint8Array) => promisify(gzip)(bytes, { level: 1, chunkSize: CHUNK_BYTES });

/** Bytes that zlib gives at a time. With its default of 16 kB, what it takes to join the pieces is a third of unpacking a file. */
const CHUNK_BYTES = 1 << 17;

/**
 * Builds the request of an operation.
 *
 * @param prefix the text before the document's paths (`BaseUrl.prefix`)
 * @param token the access token; undefined for the token endpoint, which takes none
 * @throws ItemError `api/bad-id` when an id is impossible: empty, `.` or `..`, too long, or half a character
 */
export async function buildRequest(
  operation: Operation,
  parts: Parts,
  prefix: string,
  token: string | undefined,
): Promise<WireRequest> {
  const { bytes, type } = contentOf(parts);
  const isPacked = operation.gzip && bytes !== undefined && bytes.length > PACK_ABOVE_BYTES;
  const body = isPacked ? await pack(bytes) : bytes;
  return {
    method: operation.method,
    template: operation.path,
    path: `${prefix}${pathOf(operation, parts)}${queryOf(parts, token)}`,
    headers: {
      accept: "application/json",
      "user-agent": "logferry",
      ...(operation.method === "GET" && ASK_THE_SERVICE),
      ...(type !== undefined && { "content-type": type }),
      ...(isPacked && { "content-encoding": "gzip" }),
    },
    body,
    answerCap: operation.listing ? ANSWER_CAPS.listing : ANSWER_CAPS.record,
  };
}

/** The path of an operation below `{base_url}`, with encoded ids. It is safe for a message, because only the query holds the token. */
export function pathOf(operation: Operation, parts: Parts): string {
  return operation.path.replace("{id}", () => segment(operation, parts.id)).replace("{type}", () => parts.type ?? "");
}

function segment(operation: Operation, id: string | undefined): string {
  // URL-encoding does not change "." and "..", so they would name another resource.
  if (id === undefined || id === "" || id === "." || id === ".." || id.length > LONGEST_ID || !id.isWellFormed()) {
    throw new ItemError(
      "api/bad-id",
      `Cannot ${operation.action}: its id can't be one: expected 1 to ${LONGEST_ID} characters`,
    );
  }
  return encodeURIComponent(id);
}

function queryOf(parts: Parts, token: string | undefined): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parts.query ?? {})) {
    if (value !== undefined) query.set(name, String(value));
  }
  if (token !== undefined) query.set("access_token", token);
  return query.size === 0 ? "" : `?${query}`;
}

function contentOf(parts: Parts): { bytes: Uint8Array | undefined; type: string | undefined } {
  if (parts.file !== undefined) return { bytes: parts.file, type: FILE_CONTENT_TYPE };
  if (parts.form !== undefined) {
    return {
      bytes: Buffer.from(new URLSearchParams(parts.form).toString()),
      type: "application/x-www-form-urlencoded",
    };
  }
  if (parts.json !== undefined) return { bytes: Buffer.from(JSON.stringify(parts.json)), type: "application/json" };
  return { bytes: undefined, type: undefined };
}
