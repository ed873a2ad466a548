import { expect, test } from "vitest";
import { FatalError, ItemError, RetryableError, UnknownOutcomeError } from "../errors.ts";
import type { Answer, Outcome } from "./exchange.ts";
import { OPERATIONS } from "./operations.ts";
import { redactor } from "./redact.ts";
import { judge, type Verdict } from "./reply.ts";

const NOW = Date.parse("2026-01-01T00:00:00Z");
const PAGE = "<html><body>Please sign in to the hotel's network</body></html>";

function answer(status: number, body: unknown = "", more: Partial<Answer> = {}): Answer {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return {
    kind: "answer",
    status,
    body: new TextEncoder().encode(text),
    cut: undefined,
    retryAfter: undefined,
    date: undefined,
    location: undefined,
    ...more,
  };
}

// The whole classification, one row each: the outcome, and the result for a POST, a PUT and a GET.
const [Retry, Item, Unknown, Login, Service] = ["retry", "item", "unknown", "login", "service"];
const ROWS: readonly [what: string, outcome: Outcome, code: string, post: string, put: string, get: string][] = [
  ["nobody listens", never("ECONNREFUSED"), "api/not-sent", Retry, Retry, Retry],
  ["no such host", never("ENOTFOUND"), "api/not-sent", Retry, Retry, Retry],
  ["no connection in time", never("UND_ERR_CONNECT_TIMEOUT"), "api/not-sent", Retry, Retry, Retry],
  ["a certificate nobody signed", never("DEPTH_ZERO_SELF_SIGNED_CERT", true), "api/tls", Service, Service, Service],
  ["stopped before it left", { kind: "stopped", isSent: false }, "api/stopped", Retry, Retry, Retry],
  ["stopped under way", { kind: "stopped", isSent: true }, "api/stopped", Unknown, Unknown, Retry],
  ["connection reset", lost("ECONNRESET"), "api/answer-lost", Unknown, Unknown, Retry],
  ["broken pipe", lost("EPIPE"), "api/answer-lost", Unknown, Unknown, Retry],
  ["other side closed", lost("UND_ERR_SOCKET"), "api/answer-lost", Unknown, Unknown, Retry],
  ["no headers in time", lost("UND_ERR_HEADERS_TIMEOUT"), "api/answer-lost", Unknown, Unknown, Retry],
  ["not HTTP", lost("HPE_INVALID_CONSTANT"), "api/answer-lost", Unknown, Unknown, Retry],
  ["200 with a page", answer(200, PAGE), "api/unreadable", Unknown, Unknown, Retry],
  ["200 with nothing", answer(200), "api/unreadable", Unknown, Unknown, Retry],
  ["200 with half an object", answer(200, '{"code":0,"da'), "api/unreadable", Unknown, Unknown, Retry],
  [
    "200 cut off",
    answer(200, '{"code":0}', { cut: "its answer was cut off" }),
    "api/unreadable",
    Unknown,
    Unknown,
    Retry,
  ],
  ["200 with a list", answer(200, []), "api/unreadable", Unknown, Unknown, Retry],
  ["200 with a text as code", answer(200, { code: "ok" }), "api/unreadable", Unknown, Unknown, Retry],
  ["200 with half a code", answer(200, { code: 0.5 }), "api/unreadable", Unknown, Unknown, Retry],
  ["code 17", answer(200, { code: 17 }), "api/code-17", Item, Item, Item],
  ["code 17 as a text", answer(200, { code: "17" }), "api/code-17", Item, Item, Item],
  ["code -1", answer(201, { code: -1 }), "api/code--1", Item, Item, Item],
  ["code 17 in a 400", answer(400, { code: 17 }), "api/http-400", Item, Item, Item],
  ["301", answer(301), "api/redirect", Service, Service, Service],
  ["302", answer(302), "api/redirect", Service, Service, Service],
  ["307", answer(307), "api/redirect", Service, Service, Service],
  ["308", answer(308), "api/redirect", Service, Service, Service],
  ["400", answer(400), "api/http-400", Item, Item, Item],
  ["401", answer(401), "api/http-401", Login, Login, Login],
  ["403", answer(403, PAGE), "api/http-403", Login, Login, Login],
  ["405", answer(405), "api/http-405", Item, Item, Item],
  ["406", answer(406), "api/http-406", Item, Item, Item],
  ["408", answer(408), "api/http-408", Unknown, Unknown, Retry],
  ["409", answer(409), "api/http-409", Unknown, Item, Item],
  ["410", answer(410), "api/http-410", Item, Item, Item],
  ["411", answer(411), "api/http-411", Item, Item, Item],
  ["413", answer(413), "api/http-413", Item, Item, Item],
  ["414", answer(414), "api/http-414", Item, Item, Item],
  ["415", answer(415), "api/http-415", Item, Item, Item],
  ["421", answer(421), "api/http-421", Unknown, Unknown, Retry],
  ["422", answer(422), "api/http-422", Item, Item, Item],
  ["425", answer(425), "api/http-425", Unknown, Unknown, Retry],
  ["429", answer(429), "api/http-429", Retry, Retry, Retry],
  ["451", answer(451), "api/http-451", Item, Item, Item],
  ["500", answer(500), "api/http-500", Unknown, Unknown, Retry],
  ["502", answer(502, PAGE), "api/http-502", Unknown, Unknown, Retry],
  ["503", answer(503), "api/http-503", Unknown, Unknown, Retry],
  ["504", answer(504), "api/http-504", Unknown, Unknown, Retry],
  ["600", answer(600), "api/http-600", Unknown, Unknown, Retry],
];

function never(code: string, isTrust = false): Outcome {
  return { kind: "never-sent", code, found: "the service can't be reached", isTrust };
}

function lost(code: string): Outcome {
  return { kind: "lost", code, found: "no answer came" };
}

function remedyOf(verdict: Verdict): string {
  if (verdict.kind === "value") return "value";
  const { error } = verdict;
  if (error instanceof RetryableError) return "retry";
  if (error instanceof ItemError) return "item";
  if (error instanceof UnknownOutcomeError) return "unknown";
  if (error instanceof FatalError) return error.reason;
  return "none";
}

test.each(ROWS)("%s: %s", (_what, outcome, code, post, put, get) => {
  const judged = [OPERATIONS.saveNewWorkout, OPERATIONS.saveExistingWorkout, OPERATIONS.getWorkout].map((operation) =>
    judge(operation, outcome, redactor([]), NOW),
  );
  expect(judged.map(remedyOf)).toEqual([post, put, get]);
  for (const verdict of judged) expect(verdict).toMatchObject({ error: { code } });
});

test.each([
  ["code 0", { code: 0 }],
  ["no code", { data: { id: "a" } }],
  ["code 0 as a text", { code: "0", data: {} }],
  ["code null", { code: null }],
])("200 with %s is a value", (_what, body) => {
  expect(judge(OPERATIONS.saveNewWorkout, answer(200, body), redactor([]), NOW)).toEqual({
    kind: "value",
    value: body,
  });
});

test("204 is a value where no id is waited for, and a lost answer where one is", () => {
  expect(remedyOf(judge(OPERATIONS.savePreference, answer(204), redactor([]), NOW))).toBe("value");
  expect(remedyOf(judge(OPERATIONS.saveNewWorkout, answer(204), redactor([]), NOW))).toBe("unknown");
});

test.each([
  ["getWorkout", "item", "api/gone"],
  ["saveExistingWorkout", "item", "api/gone"],
  ["saveCourseMap", "item", "api/gone"],
  ["saveNewWorkout", "item", "api/http-404"],
  ["importWorkouts", "item", "api/http-404"],
  ["getUser", "service", "api/http-404"],
  ["listEquipment", "service", "api/http-404"],
  ["exchangeAuthorizationToken", "service", "api/http-404"],
] as const)("404 to %s: %s", (name, remedy, code) => {
  const verdict = judge(OPERATIONS[name], answer(404, PAGE), redactor([]), NOW);
  expect(remedyOf(verdict)).toBe(remedy);
  expect(verdict).toMatchObject({ error: { code } });
});

test("a refusal tells the number and the service's words, in one harmless line, cut", () => {
  const body = { code: 17, message: `No such\u001b[2J activity\r\n${"x".repeat(500)}` };
  const verdict = judge(OPERATIONS.saveNewWorkout, answer(200, body), redactor([]), NOW);
  if (verdict.kind === "value") expect.unreachable();
  expect(verdict.error.message).toMatch(
    /^Cannot save the workout: the service refused it with code 17 \(No such\\x1b\[2J activity\\x0d\\x0ax+…\)$/,
  );
  expect(verdict.error.message.length).toBeLessThan(300);
});

test("an OAuth refusal is a matter of logging in, with its code and description", () => {
  const body = { error: "unauthorized_client", error_description: "The secret is wrong" };
  for (const status of [400, 401, 403]) {
    const verdict = judge(OPERATIONS.exchangeAuthorizationToken, answer(status, body), redactor([]), NOW);
    expect(remedyOf(verdict)).toBe("login");
    expect(verdict).toMatchObject({
      error: {
        message: `Cannot exchange the authorization token: the service answered ${status} (unauthorized_client: The secret is wrong)`,
      },
    });
  }
});

test("a busy service says how long, by its own clock; a 5xx with Retry-After is waited for too", () => {
  const later = { retryAfter: "Thu, 01 Jan 2026 09:00:05 GMT", date: "Thu, 01 Jan 2026 09:00:00 GMT" };
  expect(judge(OPERATIONS.getUser, answer(429, "", later), redactor([]), NOW)).toMatchObject({
    busy: { waitMs: 5000 },
    error: { waitMs: 5000 },
  });
  expect(judge(OPERATIONS.saveNewWorkout, answer(503, "", later), redactor([]), NOW)).toMatchObject({
    busy: { waitMs: 5000 },
  });
  expect(judge(OPERATIONS.getUser, answer(429), redactor([]), NOW)).toMatchObject({ busy: { waitMs: undefined } });
  expect(judge(OPERATIONS.getUser, answer(503), redactor([]), NOW)).not.toHaveProperty("busy");
});

test("a redirect's message names the host it leads to and nothing of its path", () => {
  const verdict = judge(
    OPERATIONS.getUser,
    answer(302, "", { location: "https://other.example/login?access_token=s3cret" }),
    redactor([]),
    NOW,
  );
  expect(verdict).toMatchObject({
    error: {
      message:
        "Cannot read the user: the service answered 302, which leads to https://other.example. It is not followed",
    },
  });
});
