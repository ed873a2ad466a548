/** `GET /health`, for monitoring and balancers: is the service up, and is its store? The answer says nothing about any log. */
import type { FastifyInstance } from "fastify";
import type { Faults } from "./faults/faults.ts";
import { hashOf } from "./http/ids.ts";
import type { LogStore } from "./store/log-store.ts";

/** A database that hangs is as good as none. A balancer that waits longer than this would keep the service in. */
const PATIENCE_MS = 4_000;

/** Any hash will do. The only question is whether the store answers. */
const NOBODY = hashOf("");

/** The parts that the answer is about. */
export interface HealthParts {
  readonly store: Pick<LogStore, "token">;
  readonly faults: Pick<Faults, "hits">;
  readonly isDraining: () => boolean;
}

/**
 * Answers 200 `{"status":"ok"}`, or 503 with `unavailable`, or with `draining` while the service is about to stop. A service with armed
 * faults adds them to the answer. A store that gives no answer for four seconds is unavailable.
 */
export function healthRoute(app: FastifyInstance, { store, faults, isDraining }: HealthParts): void {
  app.get("/health", async (request, reply) => {
    const armed = faults.hits();
    const misbehaving = armed.length === 0 ? {} : { misbehavesOnPurpose: armed };
    if (isDraining()) return reply.code(503).send({ status: "draining", ...misbehaving });
    try {
      await within(PATIENCE_MS, store.token(NOBODY));
      return { status: "ok", ...misbehaving };
    } catch (error) {
      request.log.error(error);
      return reply.code(503).send({ status: "unavailable", ...misbehaving });
    }
  });
}

/** @throws Error when the work takes longer */
async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const { promise: over, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`the database gave no answer for ${ms / 1000} s`)), ms);
  try {
    await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
  }
}
