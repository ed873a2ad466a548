/** A balancer before several services, as small as can be: it asks each for its health, and sends a request once, to one that is well. */
import { once } from "node:events";
import { Agent, createServer, request } from "node:http";

/** A balancer that runs. */
export interface Balancer {
  readonly url: string;
  /** Sends requests to a service, too, while it is well. Resolves once it is. */
  readonly add: (url: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** How often each service is asked for its health. */
const CHECK_EVERY_MS = 50;

/** Starts a balancer on a free port. It keeps its connections to the services, and tries no request twice. */
export async function balance(): Promise<Balancer> {
  const services = new Set<string>();
  const well = new Set<string>();
  const agent = new Agent({ keepAlive: true });
  const check = async () => {
    for (const url of services) {
      const isWell = await fetch(`${url}/health`).then(
        (answer) => answer.ok,
        () => false,
      );
      if (isWell) well.add(url);
      else well.delete(url);
    }
  };
  const timer = setInterval(check, CHECK_EVERY_MS);
  let turn = 0;
  const server = createServer((asked, answer) => {
    const to = [...well][turn++ % well.size];
    const { method, headers } = asked;
    const sent = request(`${to}${asked.url}`, { method, headers, agent }, (given) => {
      answer.writeHead(given.statusCode ?? 502);
      given.pipe(answer);
    });
    sent.on("error", (error) => answer.writeHead(502).end(String(error)));
    asked.pipe(sent);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    add: async (url) => {
      services.add(url);
      while (!well.has(url)) await check();
    },
    close: async () => {
      clearInterval(timer);
      agent.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
