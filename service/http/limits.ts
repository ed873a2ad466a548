/** What a connection may cost before the service ends it: a sender who says nothing, or a byte a second, must not keep others out. */
import type { Server, ServerOptions } from "node:http";
import { MAX_BODY_BYTES } from "../gaps.ts";

/** Times in milliseconds. */
export interface Limits {
  /** How long a sender that was refused is heard out, so that the refusal arrives. */
  readonly lingerMs: number;
  /** How many bytes of it are read in that time. */
  readonly lingerBytes: number;
  /** From the first byte of a request to the end of its headers. */
  readonly headersTimeoutMs: number;
  /** From the first byte of a request to its last: 64 MiB over a phone need minutes. */
  readonly requestTimeoutMs: number;
  /** How long nothing at all may move on a connection, in either direction. */
  readonly silenceTimeoutMs: number;
  /** How often connections are looked at. */
  readonly checkEveryMs: number;
  /** Connections at once; one more is closed before it says anything. */
  readonly maxConnections: number;
}

/** What holds unless a test wants to see the end of it. */
export const LIMITS: Limits = {
  lingerMs: 5_000,
  lingerBytes: MAX_BODY_BYTES.file,
  headersTimeoutMs: 20_000,
  requestTimeoutMs: 300_000,
  silenceTimeoutMs: 300_000,
  checkEveryMs: 5_000,
  maxConnections: 5_000,
};

/** The limits as fastify takes them. */
export function serverOptions(limits: Limits): {
  readonly requestTimeout: number;
  readonly connectionTimeout: number;
  readonly http: ServerOptions;
} {
  return {
    requestTimeout: limits.requestTimeoutMs,
    connectionTimeout: limits.silenceTimeoutMs,
    http: {
      headersTimeout: limits.headersTimeoutMs,
      connectionsCheckingInterval: limits.checkEveryMs,
      // Looked for by the app, which answers in the form of the interface.
      requireHostHeader: false,
    },
  };
}

/** What only a server that is there can be told. */
export function limitConnections(server: Server, { maxConnections }: Limits): void {
  server.maxConnections = maxConnections;
}
