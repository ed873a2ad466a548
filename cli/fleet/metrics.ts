/**
 * `/metrics` of a worker, in the text format of Prometheus. The numbers of the fleet come from its database, so any worker tells them. Those of the
 * worker are its own.
 *
 * Source: https://prometheus.io/docs/instrumenting/exposition_formats/ (text format, version 0.0.4)
 */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { FleetNumbers } from "../../pipelines/fleet/overview.ts";
import { UsageError } from "../errors/exit-codes.ts";
import { describeSystemError } from "../errors/system-errors.ts";
import type { FleetHosts } from "./hosts.ts";
import type { WorkerCounts } from "./worker.ts";

/** What a metric says, and its values by their labels. */
interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: "gauge" | "counter";
  readonly values: readonly (readonly [labels: Readonly<Record<string, string>>, value: number])[];
}

/** The numbers that a page of metrics shows. */
export interface Measured {
  /** undefined while the database doesn't answer. */
  readonly fleet: FleetNumbers | undefined;
  readonly worker: WorkerCounts;
  readonly requests: ReturnType<FleetHosts["counts"]>;
}

/** The page of metrics. */
export function metricsText({ fleet, worker, requests }: Measured): string {
  const up = gauge("fleet_database_up", "Whether the fleet's database answers", alone(fleet === undefined ? 0 : 1));
  const ofFleet = fleet === undefined ? [] : metricsOf(fleet);
  return [up, ...ofFleet, ...metricsOfWorker(worker, requests)].map(textOf).join("");
}

const alone = (value: number): Metric["values"] => [[{}, value]];

const by = (label: string, counts: Readonly<Record<string, number | undefined>>): Metric["values"] =>
  Object.entries(counts).map(([name, count = 0]) => [{ [label]: name }, count] as const);

function metricsOf(fleet: FleetNumbers): readonly Metric[] {
  const { jobs, hosts, life } = fleet;
  const ofHosts = (choose: (host: (typeof hosts)[number]) => number) =>
    hosts.map((host) => [{ host: host.host }, choose(host)] as const);
  return [
    gauge("fleet_workers", "Workers that gave a sign of life in the last seconds", alone(fleet.workers)),
    gauge("fleet_athletes", "Athletes of the fleet by where they stand", by("state", fleet.athletes)),
    gauge("fleet_jobs", "Jobs in the queue", by("state", { waiting: jobs.waiting, running: jobs.running })),
    gauge("fleet_oldest_job_seconds", "How long the oldest waiting job waits", alone(jobs.oldestSeconds)),
    gauge("fleet_silent_seconds", "Since a step of an athlete ended, while jobs are open", alone(life.endedSeconds)),
    gauge("fleet_records", "Records of all athletes by what became of them", by("outcome", fleet.records)),
    gauge(
      "fleet_host_rate",
      "Requests a second that the fleet asks a host",
      ofHosts(({ rate }) => rate),
    ),
    gauge(
      "fleet_host_refused",
      "Requests that a host turned away in 30 s",
      ofHosts(({ refused }) => refused),
    ),
    gauge(
      "fleet_host_pause_seconds",
      "Until the fleet asks a host again",
      ofHosts(({ pausedSeconds }) => pausedSeconds),
    ),
  ];
}

function metricsOfWorker(worker: WorkerCounts, requests: Measured["requests"]): readonly Metric[] {
  return [
    gauge("worker_athletes", "Athletes that this worker works on", alone(worker.running)),
    counter("worker_ended_total", "Athletes that ended on this worker", by("status", worker.statuses)),
    counter("worker_handed_back_total", "Athletes that this worker handed back", alone(worker.givenBack)),
    counter("worker_requests_total", "Requests of this worker to hosts with a pace", alone(requests.requests)),
    counter("worker_refused_total", "Requests of this worker that were turned away", alone(requests.refused)),
  ];
}

function gauge(name: string, help: string, values: Metric["values"]): Metric {
  return { name: `logferry_${name}`, help, type: "gauge", values };
}

function counter(name: string, help: string, values: Metric["values"]): Metric {
  return { name: `logferry_${name}`, help, type: "counter", values };
}

function textOf({ name, help, type, values }: Metric): string {
  const lines = values.map(([labels, value]) => {
    const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
    return `${name}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${value}\n`;
  });
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join("")}`;
}

function escaped(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}

/**
 * Serves the metrics on this machine.
 *
 * @param port 0 for any free one
 * @param measure gives the numbers of now
 * @returns the address, and a function that stops it
 * @throws UsageError when the port can't be used
 */
export async function serveMetrics(
  port: number,
  measure: () => Promise<Measured>,
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const server = createServer((request, response) => {
    if (request.url !== "/metrics") return void response.writeHead(404).end("Look at /metrics\n");
    measure().then(
      (measured) => response.writeHead(200, { "content-type": TEXT }).end(metricsText(measured)),
      // The error of a database may name more than a stranger should read.
      () => response.writeHead(503).end("The fleet's database doesn't answer\n"),
    );
  });
  await listen(server, port);
  const { port: taken } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${taken}/metrics`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

const TEXT = "text/plain; version=0.0.4; charset=utf-8";

async function listen(server: Server, port: number): Promise<void> {
  try {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
  } catch (error) {
    throw new UsageError(`Cannot serve the metrics on port ${port}: ${describeSystemError(error)}`);
  }
}
