import { INVALID_SPAN_CONTEXT, type Span, type Tracer, trace } from "@opentelemetry/api";
import { expect, test } from "vitest";
import type { TakenAthlete } from "../../pipelines/fleet/athletes.ts";
import { traceStep } from "./spans.ts";
import type { Done } from "./work.ts";

const ATHLETE: TakenAthlete = {
  ...{ key: "1a2b3c4d", step: "load", attempt: 1, batch: 1, settings: {}, athlete: {}, outcome: undefined },
  ...{ passed: undefined, isCancelled: false, requests: 0, seen: {}, awayMs: undefined },
};

const GIVEN_BACK: Done = { is: "given back" };

const boom = (): never => {
  throw new Error("boom");
};

/** The API's own span without an SDK, but for the methods that throw. */
const spanThat = (throws: Partial<Span>): Span => Object.assign(trace.wrapSpanContext(INVALID_SPAN_CONTEXT), throws);

/** An SDK of the operator's own. */
const sdkThat = (startSpan: () => Span): Tracer => ({ startSpan, startActiveSpan: boom });

test.each([
  ["at the start of a span", sdkThat(boom)],
  ["at the end of a span", sdkThat(() => spanThat({ end: boom }))],
  ["for each value", sdkThat(() => spanThat({ setAttributes: boom, setStatus: boom }))],
])("an SDK that throws %s decides nothing about an athlete", async (_, tracer) => {
  const ran: string[] = [];
  const done = await traceStep(tracer, ATHLETE, (own) =>
    own.part("plan", async () => {
      ran.push("plan");
      return GIVEN_BACK;
    }),
  );
  expect([done, ran]).toEqual([GIVEN_BACK, ["plan"]]);
  const failing = traceStep(tracer, ATHLETE, () => Promise.reject(new Error("the log is away")));
  await expect(failing).rejects.toThrow("the log is away");
});
