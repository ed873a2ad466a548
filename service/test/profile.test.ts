/** The profile: its owner writes it on a page, and an application reads it where the owner granted access to private information. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Service } from "../server.ts";
import { send, service } from "./client.ts";
import { type Reader, reader, textOf } from "./reader.ts";

let log: Service;
let ann: Reader;

beforeAll(async () => {
  log = await service();
  ann = await reader(log, { screenName: "ann" });
});
afterAll(() => log.close());

/** The profile is the third form of the page, after signing out and the preference. */
const save = (who: Reader, fields: Record<string, string>) => who.visitor.fillIn("/preference", fields, 2);
const userOf = async (token: string) =>
  (await send(log.url, "GET", "/rest/users/me", { query: { access_token: token } })).json;

test("birth date and gender that were typed on the page are what an application with access to private information reads", async () => {
  const answer = await save(ann, {
    screenName: "Ann B",
    givenName: "Ann",
    familyName: "Ó <b>",
    email: "ann@example.com",
    birthDate: "1980-02-29",
    gender: "F",
  });
  expect([answer.status, answer.headers.location]).toEqual([303, "/preference?saved=profile"]);
  expect(textOf((await ann.visitor.get("/preference?saved=profile")).text)).toContain("Your profile is saved.");
  const person = {
    givenName: "Ann",
    familyName: "Ó <b>",
    email: "ann@example.com",
    birthDate: "1980-02-29",
    gender: "F",
  };
  expect((await userOf(ann.token)).data).toMatchObject({ screenName: "Ann B", person });
  const without = await log.operator.addToken(ann.userId, { readsProfile: false });
  expect((await userOf(without)).code).toBe(7);
  const { text } = await ann.visitor.get("/preference");
  expect(text).toContain('value="1980-02-29"');
  expect(text).toContain('value="Ó &lt;b&gt;"');
  expect(textOf(text)).not.toContain("Whoever runs this service can change it");
});

test("an emptied field is left out, and nobody else's profile is touched", async () => {
  const bob = await reader(log, { screenName: "bob" });
  await save(bob, { birthDate: "1990-01-01", gender: "M" });
  expect((await userOf(bob.token)).data.person).toMatchObject({ birthDate: "1990-01-01", gender: "M" });
  await save(bob, { birthDate: "", gender: " " });
  expect((await userOf(bob.token)).data.person).toEqual({
    givenName: "Demo",
    familyName: "Runner",
    email: "demo@example.com",
  });
  expect((await userOf(ann.token)).data.screenName).toBe("Ann B");
  expect((await userOf(bob.token)).data.preference).toMatchObject({ distanceUnit: "mi" });
});

test.each([
  ["birthDate", "2023-02-29", "must be a day that exists"],
  ["birthDate", "29.2.1980", "must be a day that exists"],
  ["screenName", "", "is required"],
  ["email", "x".repeat(201), "must not have more than 200 characters"],
])("%s %j is refused by name, what was typed stays, and nothing is changed", async (field, value, says) => {
  const before = await userOf(ann.token);
  const answer = await save(ann, { givenName: "Typed", [field]: value });
  expect(answer.status).toBe(400);
  expect(textOf(answer.text)).toContain(`Not saved. ${field}: ${says}`);
  expect(answer.text).toContain('value="Typed"');
  expect(await userOf(ann.token)).toEqual(before);
});

test("without the page's own key nothing is changed", async () => {
  const before = await userOf(ann.token);
  for (const token of [{}, { _csrf: "x" }]) {
    expect((await ann.visitor.post("/preference/profile", { screenName: "Mallory", ...token })).status).toBe(403);
  }
  expect(await userOf(ann.token)).toEqual(before);
});
