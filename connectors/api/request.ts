/**
 * A request, built: which path, which query, which bytes. Nothing is sent here.
 */
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { FILE_CONTENT_TYPE, LONGEST_ID } from "../../transforms/assumptions.ts";
import { ItemError } from "../errors.ts";
import { ASK_THE_SERVICE } from "./caches.ts";
import type { Operation } from "./operations.ts";

/** What fills an operation: its path, its query, its body. */
export interface Parts {
  /** The log's id of the record, as the log gave it. */
  readonly id?: string;
  /** The `{type}` of an import or a map. */
  readonly type?: "fit" | "gpx" | "tcx";
  /** Query parameters besides the token; absent ones are left out. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as it is: a device file, a map. */
  readonly file?: Uint8Array;
  /** Sent form-encoded: the token endpoint. */
  readonly form?: Readonly<Record<string, string>>;
}

/** A request ready to leave. `path` holds the access token: it never goes into a message. */
export interface WireRequest {
  readonly method: Operation["method"];
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
  /** The longest answer that is read, in bytes. */
  readonly answerCap: number;
}

/** Bodies up to this size aren't worth packing: what is saved would fit the same few network packets. */
export const PACK_ABOVE_BYTES = 10_000;

/** Longest answers read: a record, and a listing of 100. */
export const ANSWER_CAPS = { record: 1 << 20, listing: 16 << 20 } as const;

const pack = promisify(gzip);

/**
 * Builds the request of an operation.
 *
 * @param prefix what stands before the document's paths (`BaseUrl.prefix`)
 * @param token the access token; undefined for the token endpoint, which takes none
 * @throws ItemError `api/bad-id` when an id can't be one: empty, `.` or `..`, too long, or half a character
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

/** The path of an operation below `{base_url}`, ids encoded: safe for a message, since the token is in the query only. */
export function pathOf(operation: Operation, parts: Parts): string {
  return operation.path.replace("{id}", () => segment(operation, parts.id)).replace("{type}", () => parts.type ?? "");
}

function segment(operation: Operation, id: string | undefined): string {
  // "." and ".." stay as they are under URL-encoding and would name another resource.
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
