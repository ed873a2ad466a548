/** `GET /health`, for monitoring and balancers: is the service up, and is its store? The answer says nothing about any log. */
import type { FastifyInstance } from "fastify";
import type { Faults } from "./faults/faults.ts";
import { hashOf } from "./http/ids.ts";
import { StoreUnavailable } from "./http/unavailable.ts";
import type { LogStore } from "./store/log-store.ts";

/** Any hash will do. The only question is whether the store answers. */
const NOBODY = hashOf("");

/** A balancer asks every second or two, and must hear soon of a database that hangs. A read itself may take longer. */
const ANSWER_WITHIN_MS = 4_000;

/** The parts that the answer is about. */
export interface HealthParts {
  readonly store: Pick<LogStore, "token">;
  readonly faults: Pick<Faults, "hits">;
  readonly isDraining: () => boolean;
}

/**
 * Answers within five seconds: 200 `{"status":"ok"}`, or 503 with `unavailable`, or with `draining` while the service is about to stop. A service with armed
 * faults adds them to the answer.
 */
export function healthRoute(app: FastifyInstance, { store, faults, isDraining }: HealthParts): void {
  app.get("/health", async (request, reply) => {
    const armed = faults.hits();
    const misbehaving = armed.length === 0 ? {} : { misbehavesOnPurpose: armed };
    if (isDraining()) return reply.code(503).send({ status: "draining", ...misbehaving });
    try {
      await withinLimit(store.token(NOBODY));
      return { status: "ok", ...misbehaving };
    } catch (error) {
      request.log.error(error);
      return reply.code(503).send({ status: "unavailable", ...misbehaving });
    }
  });
}

/** @throws StoreUnavailable when the time is over. The late answer of the store is dropped */
async function withinLimit(answer: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new StoreUnavailable(`The database didn't answer within ${ANSWER_WITHIN_MS / 1000} s`)),
      ANSWER_WITHIN_MS,
    );
  });
  await Promise.race([answer, late]).finally(() => clearTimeout(timer));
}
