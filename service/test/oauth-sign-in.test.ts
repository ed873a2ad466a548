/** Signing in: who gets in, who is slowed down, what a browser is told to keep, and where it is sent afterwards. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { addDemoUser } from "../demo.ts";
import { type Service, startService } from "../server.ts";
import { formsOf, Visitor } from "./visitor.ts";

const PASSWORD = "correct horse battery";
const A_DAY = 24 * 3_600_000;

let now: number;
let log: Service;

beforeAll(async () => {
  now = Date.UTC(2026, 0, 1);
  log = await startService({ database: ":memory:", now: () => now });
  await addDemoUser(log, { screenName: "ann", password: PASSWORD });
});
afterAll(() => log.close());
// Every test after what the one before it left is forgotten.
beforeEach(() => {
  now += 2 * A_DAY;
});

describe("signing in", () => {
  test("whoever isn't signed in is sent to the sign-in page, and from there to where they wanted", async () => {
    const ann = new Visitor(log.url);
    const away = await ann.get("/sign-out");
    expect(away.status).toBe(302);
    expect(away.headers.location).toBe("/sign-in?next=%2Fsign-out");
    const answer = await ann.signIn(" ANN ", PASSWORD);
    expect(answer.status).toBe(303);
    expect(answer.headers.location).toBe("/");
    expect((await ann.get("/sign-out")).status).toBe(200);
  });

  test.each([
    ["a wrong password", "ann", "correct horse batterie"],
    ["a login nobody has", "bob", PASSWORD],
    ["nothing at all", "", ""],
    ["a login of 10,000 characters", "a".repeat(10_000), PASSWORD],
    ["a password of 10,000 characters", "ann", "a".repeat(10_000)],
  ])("with %s nobody gets in, and the page says the same in each case", async (_what, login, password) => {
    const someone = new Visitor(log.url);
    const answer = await someone.signIn(login, password);
    expect(answer.status).toBe(403);
    expect(answer.text).toContain("Login and password don&#39;t fit together.");
    expect((await someone.get("/sign-out")).status).toBe(302);
  });
});

test("a form that isn't one is answered with a page, and no error", async () => {
  const ann = new Visitor(log.url);
  const [form] = formsOf((await ann.get("/sign-in")).text);
  const token = form?.fields._csrf ?? "";
  expect((await ann.send("POST", "/sign-in", { body: { login: "ann" } })).status).toBe(415);
  expect((await ann.send("POST", "/sign-in")).status).toBe(403);
  expect((await ann.post("/sign-in", { _csrf: token })).status).toBe(403);
  expect((await ann.post("/sign-in", { _csrf: token, login: "a".repeat(70_000) })).status).toBe(413);
});
