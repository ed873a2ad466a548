/**
 * Reading bodies. "A body compressed with GZIP (course save, import, map save) carries the header `Content-Encoding: gzip`". All other
 * routes refuse an encoding. Each kind of body has a maximum size, and the unpacked body has the same one.
 */
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { MAX_BODY_BYTES } from "../gaps.ts";
import { parseJson } from "./json.ts";
import { Refusal } from "./refusals.ts";

/** The kinds of body: a JSON object, a JSON object that may be packed, or a file that may be packed. */
export type BodyKind = "json" | "packable json" | "file";

/** Whether a body is JSON, whether it may be compressed, and how long it may be, packed or not. */
export interface BodyRule {
  readonly json: boolean;
  readonly gzip: boolean;
  readonly capBytes: number;
}

const BODIES: Record<BodyKind, BodyRule> = {
  json: { json: true, gzip: false, capBytes: MAX_BODY_BYTES.json },
  "packable json": { json: true, gzip: true, capBytes: MAX_BODY_BYTES.json },
  file: { json: false, gzip: true, capBytes: MAX_BODY_BYTES.file },
};

declare module "fastify" {
  interface FastifyContextConfig {
    /** The kind of the route's body; undefined for routes without one. */
    body?: BodyKind;
  }
}

/** An uploaded file: its bytes, and the same bytes packed with gzip. A body that came packed is kept as it came. */
export interface Upload {
  readonly bytes: Uint8Array;
  packed(): Promise<Uint8Array>;
}

/** The rule for a kind of body. */
export function bodyRule(kind: BodyKind): BodyRule {
  return BODIES[kind];
}

/** Options of a route that takes this kind of body. */
export function takes(kind: BodyKind): { config: { body: BodyKind }; bodyLimit: number } {
  return { config: { body: kind }, bodyLimit: BODIES[kind].capBytes };
}

/** A body up to this size is parsed and checked in a millisecond or two. Longer ones take turns, so that others are answered in between. */
const BYTES_AT_ONCE = 64 * 1024;

/** Only UTF-8, as in RFC 8259. A malformed parameter is refused, not skipped. */
const JSON_TYPE = /^application\/json(?: *; *charset="?utf-8"?)?$/i;

/**
 * Checks the headers before the body is read.
 * @throws Refusal `unsupported` for a media type or encoding the route doesn't take
 */
export function refuseHeaders(request: FastifyRequest): void {
  const kind = request.routeOptions.config.body;
  if (kind === undefined) return;
  const { "content-type": type, "content-encoding": encoding } = request.headers;
  const coding = contentCodingOf(encoding);
  if (coding !== "identity" && !(coding === "gzip" && BODIES[kind].gzip)) {
    const taken = BODIES[kind].gzip ? "gzip alone is taken here" : "no compression is taken here";
    throw new Refusal("unsupported", `Content-Encoding: ${taken}`);
  }
  if (BODIES[kind].json && !(type !== undefined && JSON_TYPE.test(type))) {
    throw new Refusal("unsupported", "Content-Type: must be application/json, in UTF-8");
  }
}

/** The name of a coding in the form that we compare. Letter case doesn't count, and `x-gzip` is gzip (RFC 9110, sections 8.4.1 and 8.4.1.3). */
export function contentCodingOf(header: string | undefined): string {
  const name = header?.trim().toLowerCase() ?? "identity";
  return name === "x-gzip" ? "gzip" : name;
}

/** Applies the route's rule to every body of `app`, for all media types. A JSON body reaches the handler parsed, a file as an `Upload`. */
export function readBodies(app: FastifyInstance): void {
  const turns = new Turns();
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, async (request: FastifyRequest, raw: Buffer) => {
    const kind = request.routeOptions.config.body;
    if (kind === undefined) return undefined;
    const { json, capBytes } = BODIES[kind];
    const isPacked = contentCodingOf(request.headers["content-encoding"]) === "gzip";
    const bytes = isPacked ? await unpack(raw, capBytes) : raw;
    if (json) {
      if (bytes.length > BYTES_AT_ONCE) await turns.take();
      return parseJson(bytes);
    }
    return { bytes, packed: async () => (isPacked ? raw : pack(raw)) } satisfies Upload;
  });
}

/** Bytes that zlib gives at a time. With its default of 16 kB, a usual file takes twice as long to unpack. */
const CHUNK_BYTES = 1 << 17;

async function unpack(raw: Uint8Array, capBytes: number): Promise<Buffer> {
  try {
    return await promisify(gunzip)(raw, { maxOutputLength: capBytes, chunkSize: CHUNK_BYTES });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") {
      throw new Refusal("too-large", `body: unpacks to more than ${capBytes} bytes`);
    }
    throw new Refusal("bad-request", `body: Content-Encoding says gzip, the bytes don't (${(error as Error).message})`);
  }
}

/** Level 1 takes half a millisecond for a usual file, and its result is within a tenth of the best level's size. */
async function pack(raw: Uint8Array): Promise<Uint8Array> {
  return promisify(gzip)(raw, { level: 1, chunkSize: CHUNK_BYTES });
}

/** The callers go one after the other. Between two of them the service answers every request that has arrived meanwhile. */
class Turns {
  #last: Promise<void> = Promise.resolve();

  /** Resolves in a turn of the event loop that belongs to this caller alone. */
  take(): Promise<void> {
    this.#last = this.#last.then(() => new Promise((resolve) => setImmediate(resolve)));
    return this.#last;
  }
}
