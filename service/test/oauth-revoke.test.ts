/** Revoking a grant: by the user on a page, by the operator, and with effect at once. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Service } from "../server.ts";
import { codeOf, exchange, type Scene, scene, tokenOf, WEB } from "./authorization.ts";
import { send, service } from "./client.ts";
import { formsOf } from "./visitor.ts";

let now: number;
let log: Service;

beforeAll(async () => {
  now = Date.UTC(2026, 0, 31, 12);
  log = await service({ now: () => now });
});
afterAll(() => log.close());

const statusOf = async (token: string) =>
  (await send(log.url, "GET", "/rest/logs/me/workouts", { query: { access_token: token } })).status;

/** Presses the button of an application. */
async function revoke({ visitor, application }: Scene): Promise<void> {
  const page = await visitor.get("/connected");
  const form = formsOf(page.text).find(({ action }) => action === `/connected/${application.clientId}/revoke`);
  if (form === undefined) throw new Error(`No such button: ${page.text}`);
  const answer = await visitor.post(form.action, form.fields);
  expect([answer.status, answer.headers.location]).toEqual([303, "/connected"]);
}

describe("the page of connected applications", () => {
  test("says of each application its name, since when, and what it may read", async () => {
    const ann = await scene(log);
    expect((await ann.visitor.get("/connected")).text).toContain("No application can use your log.");
    await tokenOf(log, ann);
    const plain = (await ann.visitor.get("/connected")).text;
    expect(plain).toContain("<bdi>Split Times</bdi>");
    expect(plain).toContain('<time datetime="2026-01-31">2026-01-31</time>');
    expect(plain).toContain("your log, not your profile");
    await tokenOf(log, ann, { profile: "on" });
    expect((await ann.visitor.get("/connected")).text).toContain("your log and your profile");
  });

  test("an application that was asked for and refused, or never came for its token, isn't there", async () => {
    const ann = await scene(log);
    await codeOf(ann);
    expect((await ann.visitor.get("/connected")).text).toContain("No application can use your log.");
  });

  test("shows whatever is in a name as text", async () => {
    const ann = await scene(log);
    const name = `<script>alert(1)</script>\u202e"'`;
    const application = await log.operator.addApplication({ name, redirectURIs: [WEB] });
    await tokenOf(log, { ...ann, application });
    const page = (await ann.visitor.get("/connected")).text;
    expect(page).not.toMatch(/<script|\u202e/);
    expect(page).toContain("&lt;script&gt;alert(1)&lt;/script&gt;[U+202E]&quot;&#39;");
  });

  test("takes back what this user granted to this application, every token of it, and nothing else", async () => {
    const [ann, bob] = [await scene(log), await scene(log)];
    const theirs = await tokenOf(log, { ...bob, application: ann.application });
    const other = await tokenOf(log, { ...ann, application: bob.application });
    const tokens = [await tokenOf(log, ann), await tokenOf(log, ann)];
    await revoke(ann);
    for (const token of tokens) expect(await statusOf(token)).toBe(401);
    expect([await statusOf(theirs), await statusOf(other)]).toEqual([200, 200]);
    expect((await ann.visitor.get("/connected")).text).not.toContain(ann.application.clientId);
  });

  test("a code that was granted before and not yet exchanged is worth nothing after", async () => {
    const ann = await scene(log);
    await tokenOf(log, ann);
    const code = await codeOf(ann);
    await revoke(ann);
    expect((await exchange(log.url, ann.application, { code })).status).toBe(400);
    expect(await statusOf(await tokenOf(log, ann))).toBe(200);
  });

  test("revoking an unknown token changes nothing", async () => {
    const ann = await scene(log);
    const token = await tokenOf(log, ann);
    const form = formsOf((await ann.visitor.get("/connected")).text).at(-1);
    const answer = await ann.visitor.post("/connected/nobody/revoke", form?.fields ?? {});
    expect(answer.status).toBe(303);
    expect(await statusOf(token)).toBe(200);
  });
});

test("O25 once it is revoked while requests run, every request that starts later is 401", async () => {
  const ann = await scene(log);
  const token = await tokenOf(log, ann);
  const body = { activityID: 10, date: "2024-01-01" };
  let isRevoked = false;
  const late: number[] = [];
  const early: number[] = [];
  const keepSaving = async () => {
    for (let after = 0; after < 5; ) {
      const startedLate = isRevoked;
      const { status } = await send(log.url, "POST", "/rest/logs/me/workouts", {
        query: { access_token: token },
        body,
      });
      (startedLate ? late : early).push(status);
      if (startedLate) after++;
    }
  };
  const running = Array.from({ length: 8 }, keepSaving);
  await revoke(ann);
  isRevoked = true;
  await Promise.all(running);
  expect(late).toEqual(Array(40).fill(401));
  expect(early.every((status) => status === 200 || status === 401)).toBe(true);
});

describe("the operator", () => {
  test("takes back what one user granted to an application", async () => {
    const [ann, bob] = [await scene(log), await scene(log)];
    const token = await tokenOf(log, ann);
    const theirs = await tokenOf(log, { ...bob, application: ann.application });
    expect(await log.operator.revoke(ann.userId, ann.application.clientId)).toBe(1);
    expect([await statusOf(token), await statusOf(theirs)]).toEqual([401, 200]);
  });

  test("takes back what everybody granted, by suspending the application", async () => {
    const [ann, bob] = [await scene(log), await scene(log)];
    const tokens = [await tokenOf(log, ann), await tokenOf(log, { ...bob, application: ann.application })];
    await log.operator.suspendApplication(ann.application.clientId);
    for (const token of tokens) expect(await statusOf(token)).toBe(401);
  });

  test("can't register an application that nobody could tell apart or send anybody back to", async () => {
    const add = (more: object) =>
      log.operator.addApplication({ name: "x", redirectURIs: [WEB], id: "one-of-a-kind", ...more });
    await add({});
    await expect(add({})).rejects.toThrow("somebody has the client key one-of-a-kind already");
    await expect(add({ id: "a b" })).rejects.toThrow("a client key has 1 to 64 letters");
    await expect(add({ id: "two", name: " " })).rejects.toThrow("it has no name");
    await expect(add({ id: "two", redirectURIs: [] })).rejects.toThrow("it has no address");
  });
});
