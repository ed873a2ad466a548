/** Limits of a connection. A sender that says nothing, or a byte a second, must not keep others out, so the service ends its connection. */
import type { Server, ServerOptions } from "node:http";
import { MAX_BODY_BYTES } from "../gaps.ts";

/** Times in milliseconds. */
export interface Limits {
  /** How long the service reads on after a refusal, so that the refusal arrives. */
  readonly lingerMs: number;
  /** How many bytes the service reads in that time. */
  readonly lingerBytes: number;
  /** From the first byte of a request to the end of its headers. */
  readonly headersTimeoutMs: number;
  /** From the first byte of a request to its last: 64 MiB over a phone need minutes. */
  readonly requestTimeoutMs: number;
  /** How long a connection may stay silent in both directions. */
  readonly silenceTimeoutMs: number;
  /** How often connections are checked. */
  readonly checkEveryMs: number;
  /** Connections at once. The service closes one more before it says anything. */
  readonly maxConnections: number;
}

/** The limits, unless a test sets its own. */
export const LIMITS: Limits = {
  lingerMs: 5_000,
  lingerBytes: MAX_BODY_BYTES.file,
  headersTimeoutMs: 20_000,
  requestTimeoutMs: 300_000,
  silenceTimeoutMs: 300_000,
  checkEveryMs: 5_000,
  maxConnections: 5_000,
};

/** The limits in the form that fastify takes. */
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
      // The app itself checks for the header, and answers in the form of the interface.
      requireHostHeader: false,
    },
  };
}

/** Sets the limit that needs an existing server. */
export function limitConnections(server: Server, { maxConnections }: Limits): void {
  server.maxConnections = maxConnections;
}
