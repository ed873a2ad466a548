/** Bodies of a media type, an encoding or a size that the service doesn't take. */
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { ann, COURSES, EQUIPMENT, log, RUN, WORKOUTS, withOneLog } from "./one-log.ts";

withOneLog();

describe("O36 media types, encodings and sizes", () => {
  const JSON_TYPE = { "content-type": "application/json" };

  test.each([
    ["none at all", {}],
    ["text", { "content-type": "text/plain" }],
    ["a form", { "content-type": "application/x-www-form-urlencoded" }],
    ["a tab before the parameter", { "content-type": "application/json\t; x" }],
    ["garbage after the type", { "content-type": "application/json garbage" }],
    ["another charset", { "content-type": "application/json; charset=utf-16" }],
    ["two types", { "content-type": "application/json, text/plain" }],
    ["a longer type", { "content-type": "application/jsonx" }],
    ["a JSON of some kind", { "content-type": "application/problem+json" }],
  ])("a save with a Content-Type of %s is 415", async (_what, headers) => {
    const answer = await ann.send("POST", WORKOUTS, { body: JSON.stringify(RUN), headers });
    expect(answer.status).toBe(415);
    expect(answer.json.code).toBe(11);
  });

  test.each(["application/json", "application/json; charset=utf-8", 'Application/JSON;charset="UTF-8"'])(
    "%s is a Content-Type of a save",
    async (type) => {
      const headers = { "content-type": type };
      expect((await ann.send("POST", WORKOUTS, { body: JSON.stringify(RUN), headers })).status).toBe(200);
    },
  );

  test("gzip is taken where rule 4 says so and nowhere else; no other encoding anywhere", async () => {
    const packed = (encoding: string, body: object) => ({
      body: gzipSync(JSON.stringify(body)),
      headers: { ...JSON_TYPE, "content-encoding": encoding },
    });
    expect((await ann.send("POST", WORKOUTS, packed("gzip", RUN))).status).toBe(415);
    expect((await ann.send("POST", EQUIPMENT, packed("gzip", { activityID: 10 }))).status).toBe(415);
    expect((await ann.send("PUT", "/rest/users/me/preference", packed("gzip", {}))).status).toBe(415);
    expect((await ann.send("POST", COURSES, packed("gzip", { name: "a" }))).status).toBe(200);
    for (const encoding of ["br", "deflate", "gzip, gzip", "gzip,br", "x"]) {
      expect((await ann.send("POST", COURSES, packed(encoding, { name: "a" }))).status).toBe(415);
    }
  });

  test.each(["GZIP", "Gzip", "x-gzip", "X-GZip"])("%s is gzip by another name", async (encoding) => {
    const headers = { ...JSON_TYPE, "content-encoding": encoding };
    const body = gzipSync(JSON.stringify({ name: `packed as ${encoding}` }));
    const saved = await ann.send("POST", COURSES, { body, headers });
    expect([saved.status, saved.json.message]).toEqual([200, undefined]);
    const { course } = (await ann.send("GET", `${COURSES}/${saved.json.data.id}`)).json.data;
    expect(course.name).toBe(`packed as ${encoding}`);
    const map = gzipSync('<gpx version="1.1"><rte><rtept lat="1" lon="2"/><rtept lat="1" lon="3"/></rte></gpx>');
    const drawn = await ann.send("POST", `${COURSES}/${saved.json.data.id}/gpx`, {
      body: map,
      headers: { "content-encoding": encoding },
    });
    expect(drawn.json).toEqual({ code: 0 });
    expect((await log.store.courseMap(ann.userId, saved.json.data.id))?.packed).toEqual(new Uint8Array(map));
    expect((await ann.send("POST", WORKOUTS, { body: gzipSync(JSON.stringify(RUN)), headers })).status).toBe(415);
  });

  test.each(["identity", "IDENTITY"])("%s is no encoding at all, for every kind of body", async (encoding) => {
    const headers = { ...JSON_TYPE, "content-encoding": encoding };
    expect((await ann.send("POST", COURSES, { body: '{"name":"a"}', headers })).status).toBe(200);
    expect((await ann.send("POST", WORKOUTS, { body: JSON.stringify(RUN), headers })).status).toBe(200);
  });

  test("a body that says gzip and isn't, or is cut, is 400", async () => {
    const headers = { ...JSON_TYPE, "content-encoding": "gzip" };
    const whole = gzipSync(JSON.stringify({ name: "a" }));
    for (const body of ['{"name":"a"}', whole.subarray(0, 20)]) {
      const answer = await ann.send("POST", COURSES, { body, headers });
      expect(answer.status).toBe(400);
      expect(answer.json.code).toBe(1);
    }
  });

  test("a JSON body of 1 MiB is taken, a byte more is 413, and so is what unpacks to more", async () => {
    const sized = (bytes: number) => {
      const frame = JSON.stringify({ name: "a", id: "" }).length;
      return JSON.stringify({ name: "a", id: "x".repeat(bytes - frame) });
    };
    const MiB = 2 ** 20;
    expect((await ann.send("POST", COURSES, { body: sized(MiB), headers: JSON_TYPE })).status).toBe(200);
    expect((await ann.send("POST", COURSES, { body: sized(MiB + 1), headers: JSON_TYPE })).status).toBe(413);
    const headers = { ...JSON_TYPE, "content-encoding": "gzip" };
    expect((await ann.send("POST", COURSES, { body: gzipSync(sized(MiB)), headers })).status).toBe(200);
    const bomb = await ann.send("POST", COURSES, { body: gzipSync(sized(MiB + 1)), headers });
    expect([bomb.status, bomb.json.code]).toEqual([413, 10]);
  });

  test("bytes that aren't UTF-8 are refused, a byte order mark is not", async () => {
    const name = Buffer.from([0x7b, 0x22, 0x6e, 0x61, 0x6d, 0x65, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d]);
    expect((await ann.send("POST", COURSES, { body: name, headers: JSON_TYPE })).status).toBe(400);
    const marked = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from('{"name":"a"}')]);
    expect((await ann.send("POST", COURSES, { body: marked, headers: JSON_TYPE })).status).toBe(200);
  });
});
