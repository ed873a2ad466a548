/** A cache between a client and a service. It keeps listings for a while, each by its address. Some caches keep to the rules. */
import { header, type Message, withHeaders } from "./wire.ts";

/** How a cache behaves. */
export interface CacheRule {
  /** How long it keeps an answer, in milliseconds. */
  readonly ms: number;
  /** The key of a listing: the whole address, or its path and the paging alone, which leaves out other parameters. */
  readonly by: "address" | "paging";
  /** Whether it asks the service when a client wants that (`Cache-Control: no-cache`). */
  readonly obeys?: boolean;
  /** Whether it says how old an answer is (`Age`). */
  readonly tellsAge?: boolean;
}

/** The parts of a request that name a listing. */
interface Named {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
}

interface Kept {
  readonly answer: Message;
  readonly at: number;
}

/** Answers that were kept. */
export class Cache {
  readonly #rule: CacheRule;
  readonly #kept = new Map<string, Kept>();

  constructor(rule: CacheRule) {
    this.#rule = rule;
  }

  /** Its answer to a request; undefined where the service is to be asked. */
  find(request: Message, passing: Named): Message | undefined {
    const { obeys = false, tellsAge = false, ms } = this.#rule;
    if (obeys && /no-cache/.test(header(request, "cache-control") ?? "")) return undefined;
    const kept = this.#kept.get(this.#nameOf(passing) ?? "");
    const age = performance.now() - (kept?.at ?? 0);
    if (kept === undefined || age > ms) return undefined;
    // RFC 9111 5.1: whole seconds. One second is the least age that says anything.
    const told = tellsAge ? { age: String(Math.max(1, Math.floor(age / 1000))) } : {};
    return withHeaders(kept.answer, { connection: "keep-alive", ...told });
  }

  keep(passing: Named, answer: Message): void {
    const name = this.#nameOf(passing);
    if (name !== undefined && / 200 /.test(answer.first)) this.#kept.set(name, { answer, at: performance.now() });
  }

  /** The name of a listing; undefined for other requests, which are not kept. */
  #nameOf({ method, path, query }: Named): string | undefined {
    if (method !== "GET" || !/\/(workouts|courses|equipment)$/.test(path)) return undefined;
    if (this.#rule.by === "address") return `${path}?${query}`;
    return `${path} ${query.get("limit")} ${query.get("offset")}`;
  }
}
