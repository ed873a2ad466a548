/** Traces of a worker, as a collector of OpenTelemetry gets them. */
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { newFleet, rehearsal, team, useFleet, ways } from "./support/fleet.ts";
import { type ScriptedServer, startServer } from "./support/http-server.ts";
import { rowOf, writeRoster } from "./support/team.ts";

useFleet();

/** A span of OTLP by HTTP. Source: https://github.com/open-telemetry/opentelemetry-proto/blob/main/opentelemetry/proto/trace/v1/trace.proto */
interface SentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly status: { readonly code?: number };
  readonly attributes: readonly {
    readonly key: string;
    readonly value: { readonly stringValue?: string; readonly intValue?: number | string };
  }[];
}

/** The spans that a collector got. */
function spansOf({ requests }: ScriptedServer): readonly SentSpan[] {
  return requests.flatMap(({ body }) =>
    JSON.parse(body.toString()).resourceSpans.flatMap((resource: { scopeSpans: { spans: SentSpan[] }[] }) =>
      resource.scopeSpans.flatMap(({ spans }) => spans),
    ),
  );
}

const attributeOf = ({ attributes }: SentSpan, name: string) => {
  const value = attributes.find(({ key }) => key === name)?.value;
  return value?.stringValue ?? Number(value?.intValue);
};

test("a collector gets each step with its parts and requests, and no token, name or address of a record", async () => {
  const [ana] = await team(61, 1);
  if (ana === undefined) throw new Error("an athlete");
  const own = { LOGFERRY_FLEET: await newFleet() };
  const collector = await startServer(() => ({ json: {} }));
  ways.push(collector);
  const roster = writeRoster(join(rehearsal.folder, "traced.csv"), [rowOf(ana)]);
  expect((await rehearsal.run(["batch", roster, "--detach"], { env: own })).code).toBe(0);
  const ran = await rehearsal.run(["worker", "--until-empty", "--traces", collector.url], { env: own });
  expect(ran.code, ran.err).toBe(0);
  expect(ran.out).toContain(`Traces go to ${collector.url}/v1/traces`);

  expect(new Set(collector.requests.map(({ path }) => path))).toEqual(new Set(["/v1/traces"]));
  const spans = spansOf(collector);
  const steps = spans.filter(({ parentSpanId }) => !parentSpanId);
  expect(steps.map(({ name }) => name)).toEqual(["check athlete", "load athlete"]);
  expect(steps.map((step) => attributeOf(step, "logferry.status"))).toEqual(["ready", "verified"]);
  const inside = (parent: SentSpan) => spans.filter(({ parentSpanId }) => parentSpanId === parent.spanId);
  const parts = steps.map((step) => inside(step).map(({ name }) => name));
  expect(parts).toEqual([
    expect.arrayContaining(["get token", "open log", "open journal", "plan", "write down"]),
    expect.arrayContaining(["get token", "open log", "open journal", "load", "read back", "write down"]),
  ]);
  const load = spans.find(({ name }) => name === "load");
  if (load === undefined) throw new Error("a load");
  const imports = inside(load).filter(({ name }) => name === "POST /rest/logs/me/workouts/{type}");
  expect(imports.map((one) => attributeOf(one, "http.response.status_code"))).toEqual([200, 200]);
  expect(attributeOf(imports[0] as SentSpan, "server.port")).toBe(Number(new URL(rehearsal.service.url).port));

  // A step counts its own requests, and not those of the steps before it.
  const requestsIn = (parent: SentSpan): number =>
    inside(parent).reduce((sum, one) => sum + (/^[A-Z]+ \//.test(one.name) ? 1 : requestsIn(one)), 0);
  for (const step of steps) expect(attributeOf(step, "logferry.requests")).toBe(requestsIn(step));

  const all = collector.requests.map(({ body }) => body.toString()).join("\n");
  for (const secret of [ana.token, ana.name, "access_token", rehearsal.folder]) expect(all).not.toContain(secret);
});

test.each([
  [62, 400, "HTTP 400"],
  [63, 429, "it asks to wait: HTTP 429, 502, 503 or 504"],
])("a collector that takes nothing is told of once, and the athletes are loaded", async (seed, status, why) => {
  const [ben] = await team(seed, 1);
  if (ben === undefined) throw new Error("an athlete");
  const own = { LOGFERRY_FLEET: await newFleet(), OTEL_BSP_SCHEDULE_DELAY: "50" };
  const collector = await startServer(() => ({
    status,
    headers: { "retry-after": "3600" },
    json: { secret: "of the collector" },
  }));
  ways.push(collector);
  const roster = writeRoster(join(rehearsal.folder, `untraced-${status}.csv`), [rowOf(ben)]);
  expect((await rehearsal.run(["batch", roster, "--detach"], { env: own })).code).toBe(0);
  const ran = await rehearsal.run(["worker", "--until-empty", "--traces", collector.url], { env: own });
  expect(ran.code, ran.err).toBe(0);
  expect(`${ran.out}${ran.err}`.split(`takes no traces (${why})`).length).toBe(2);
  expect(`${ran.out}${ran.err}`).not.toContain("of the collector");
  expect(ran.out).toContain("1 athlete ended here");
});

test("a collector that answers by drips keeps no worker from ending", async () => {
  const [cem] = await team(64, 1);
  if (cem === undefined) throw new Error("an athlete");
  const own = { LOGFERRY_FLEET: await newFleet(), OTEL_BSP_SCHEDULE_DELAY: "50" };
  const drips: NodeJS.Timeout[] = [];
  const collector = createServer((_, response) => {
    response.writeHead(200, { "content-length": "100000" });
    drips.push(setInterval(() => response.write("x"), 200));
  }).listen(0, "127.0.0.1");
  await once(collector, "listening");
  const { port } = collector.address() as AddressInfo;
  try {
    const roster = writeRoster(join(rehearsal.folder, "dripping.csv"), [rowOf(cem)]);
    expect((await rehearsal.run(["batch", roster, "--detach"], { env: own })).code).toBe(0);
    const words = ["worker", "--until-empty", "--traces", `http://127.0.0.1:${port}`];
    const ran = await rehearsal.run(words, { env: own });
    expect(ran.code, ran.err).toBe(0);
    expect(drips).not.toEqual([]);
  } finally {
    for (const drip of drips) clearInterval(drip);
    collector.closeAllConnections();
    collector.close();
  }
});

test("an address for traces that can't be used, and packages that are not installed, stop a worker before it begins", async () => {
  const own = { LOGFERRY_FLEET: await newFleet() };
  const refused = async (address: string, more: Record<string, string> = {}) => {
    const { code, err } = await rehearsal.run(["worker", "--traces", address], { env: { ...own, ...more } });
    return [code, err];
  };
  expect(await refused("collector:4318")).toEqual([2, expect.stringContaining("the address of a collector")]);
  const [code, err] = await refused("http://me:hush@localhost:4318");
  expect([code, err]).toEqual([2, expect.stringContaining("OTEL_EXPORTER_OTLP_HEADERS")]);
  expect(err).not.toContain("hush");
  const hook = join(rehearsal.folder, "not-installed.mjs");
  writeFileSync(
    hook,
    `import { registerHooks } from "node:module";
registerHooks({
  resolve(name, context, next) {
    if (!name.startsWith("@opentelemetry/sdk")) return next(name, context);
    throw Object.assign(new Error("not there"), { code: "ERR_MODULE_NOT_FOUND" });
  },
});`,
  );
  const absent = await refused("http://localhost:4318", { NODE_OPTIONS: `--import=${pathToFileURL(hook)}` });
  const { devDependencies } = JSON.parse(readFileSync(join(import.meta.dirname, "..", "package.json"), "utf8"));
  const install = ["sdk-trace", "resources", "exporter-trace-otlp-http"]
    .map((name) => `@opentelemetry/${name}`)
    .map((name) => `${name}@${devDependencies[name]}`);
  expect(absent).toEqual([2, expect.stringContaining(`npm install ${install.join(" ")}`)]);
  const page = readFileSync(join(import.meta.dirname, "..", "docs", "fleet.md"), "utf8");
  expect(page).toContain(`npm install ${install.join(" ")}`);
});
