/**
 * The four kinds of operations: get a resource, list resources, create one and learn its id, replace one. Each sends its request through
 * the connection and reads the envelope, at any place where a service puts the value.
 */

import { ID_PLACES, LONGEST_ID } from "../../transforms/assumptions.ts";
import { defined } from "../../transforms/model/defined.ts";
import { printable } from "../../transforms/text/printable.ts";
import { ItemError, RetryableError, UnknownOutcomeError } from "../errors.ts";
import type { Connection } from "./connection.ts";
import { type Remark, readNumber } from "./fields.ts";
import { at, isRecord } from "./json.ts";
import type { Operation } from "./operations.ts";
import type { JsonObject } from "./reply.ts";
import { type Parts, pathOf } from "./request.ts";
import type { Page } from "./wire.ts";

/** Reads one resource from an answer. */
export type Decode<T> = (value: unknown, remark: Remark) => T;

/** A resource, and how to read it from an answer. */
export interface Resource<T> {
  /** The operation that gets the resource. */
  readonly operation: Operation;
  /** Dotted paths where the answer may hold it, best first. */
  readonly places: readonly string[];
  /** Members that tell which record it is. A record that was asked for by its id has at least one of them. Default: any member. */
  readonly tellBy?: readonly string[];
  readonly decode: Decode<T>;
}

/** Most times a record is read while the answers hold another record. Each time is one `Connection.send`, with its own attempts. */
const MOST_READS = 3;

/**
 * Gets a resource. If the answer holds a record with another id, answers were mixed up on the way, and the record is requested again.
 *
 * @throws ItemError `api/no-data` when the service answers success without a record, or with an empty one; RetryableError `api/other-record` when it answers with
 *   another record each time; and the errors of `Connection.send`
 */
export async function get<T>(
  connection: Connection,
  { operation, places, tellBy, decode }: Resource<T>,
  parts: Parts,
  signal: AbortSignal,
): Promise<T> {
  for (let reads = 1; ; reads++) {
    const envelope = await connection.send(operation, parts, signal);
    const value = places.map((place) => at(envelope, place)).find(isRecord);
    if (value === undefined) {
      throw new ItemError(
        "api/no-data",
        `Cannot ${operation.action}: the service answered success and no ${places[0]}`,
      );
    }
    if (parts.id !== undefined && isBlank(value, tellBy)) {
      throw new ItemError(
        "api/no-data",
        `Cannot ${operation.action}: the service answered success, and the record in its answer is empty`,
      );
    }
    if (!isOfAnother(value, parts)) return decode(value, remarkAt(connection, operation, parts));
    if (reads === MOST_READS)
      throw new RetryableError("api/other-record", `Cannot ${operation.action}: the service answered with another one`);
  }
}

/** Whether nothing in an answer tells which record it is. Read as a record, it would prove that the log has it. */
function isBlank(value: JsonObject, tellBy: readonly string[] = Object.keys(value)): boolean {
  return tellBy.every((member) => value[member] === undefined || value[member] === null || value[member] === "");
}

function isOfAnother({ id }: JsonObject, parts: Parts): boolean {
  return parts.id !== undefined && isSavedId(id) && id !== parts.id;
}

/**
 * Gets a page of a listing. An entry that is not an object becomes an empty record with an issue. It must be counted, because pages advance
 * by the entries received.
 *
 * @throws ItemError `api/no-data` when the answer has no list; and the errors of `Connection.send`
 */
export async function getPage<T>(
  connection: Connection,
  operation: Operation,
  query: NonNullable<Parts["query"]>,
  decode: Decode<T>,
  signal: AbortSignal,
): Promise<Page<T>> {
  let cachedBy: string | undefined;
  const envelope = await connection.send(operation, { query }, signal, (evidence) => {
    cachedBy = evidence;
  });
  const entries = at(envelope, "data.entries") ?? at(envelope, "entries");
  if (!Array.isArray(entries)) {
    throw new ItemError("api/no-data", `Cannot ${operation.action}: the service answered success and no data.entries`);
  }
  const total = readNumber(at(envelope, "data.numEntries") ?? at(envelope, "numEntries"));
  const remark = remarkAt(connection, operation, {});
  return {
    entries: entries.map((entry: unknown) => decode(entry, remark)),
    ...(total !== undefined && total >= 0 && { numEntries: total }),
    ...defined({ cachedBy }),
  };
}

/**
 * Creates a record.
 *
 * @returns its id
 * @throws UnknownOutcomeError `api/no-id` when the record was saved, but the answer has no usable id; logferry looks it up and never sends
 *   it again. Also the errors of `Connection.send`
 */
export async function create(
  connection: Connection,
  operation: Operation,
  parts: Parts,
  signal: AbortSignal,
): Promise<string> {
  const id = savedId(await connection.send(operation, parts, signal));
  if (id === undefined) throw noId(operation);
  return id;
}

/**
 * Creates records from a file.
 *
 * @returns their ids, each once; an empty list when the service found no record in the file
 * @throws UnknownOutcomeError `api/no-id` when success came without a list of ids; and the errors of `Connection.send`
 */
export async function createAll(
  connection: Connection,
  operation: Operation,
  parts: Parts,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const envelope = await connection.send(operation, parts, signal);
  const ids = ID_PLACES.many.map((place) => at(envelope, place)).find((found) => found !== undefined);
  if (!Array.isArray(ids) || !ids.every(isSavedId)) throw noId(operation);
  return [...new Set(ids)];
}

/**
 * Replaces a record.
 *
 * @returns the id in the service's answer; the id of the request if the answer has none. A different id is an issue
 */
export async function replace(
  connection: Connection,
  operation: Operation,
  parts: Parts & { readonly id: string },
  signal: AbortSignal,
): Promise<string> {
  const id = savedId(await connection.send(operation, parts, signal));
  if (id !== undefined && id !== parts.id) {
    remarkAt(
      connection,
      operation,
      parts,
    )({ severity: "warning", rule: "api/other-id", field: "id", found: id, expected: parts.id });
  }
  return id ?? parts.id;
}

/** Adds the place to remarks about an answer: the service, and the path below its address. Neither holds the token. */
export function remarkAt(connection: Connection, operation: Operation, parts: Parts): Remark {
  const origin = { connector: "log", archive: connection.host, entry: pathOf(operation, parts) };
  return (issue) =>
    connection.report({
      ...issue,
      origin,
      ...(issue.found !== undefined && { found: printable(connection.redact(issue.found), 300) }),
    });
}

function savedId(envelope: JsonObject): string | undefined {
  return ID_PLACES.one.map((place) => at(envelope, place)).find(isSavedId);
}

/** "`id` (string)": a number or a very long text shows that something else answered. */
function isSavedId(id: unknown): id is string {
  return typeof id === "string" && id.length >= 1 && id.length <= LONGEST_ID;
}

function noId(operation: Operation): UnknownOutcomeError {
  return new UnknownOutcomeError(
    "api/no-id",
    `Cannot ${operation.action} for certain: the service answered success and no id`,
  );
}
