/** The addresses a browser may be sent to after signing in: only our own pages, by their addresses. */
import type { FastifyInstance } from "fastify";

/** Stands for this service while an address is parsed. */
const HERE = "http://here.invalid";

/** The destination when there is no other. */
export const HOME = "/";

/** Pages that are no use as a destination. */
const NEVER = new Set(["/sign-in", "/sign-out"]);

/**
 * Collects the addresses of pages as they are added to `app`.
 * @returns a function that turns the value of `next` into an address: path and query of a page of ours, else `HOME`
 */
export function destinationsOf(app: FastifyInstance): (next: unknown) => string {
  const pages: RegExp[] = [];
  app.addHook("onRoute", ({ url, method }) => {
    if ([method].flat().includes("GET") && !NEVER.has(url)) pages.push(patternOf(url));
  });
  return (next) => {
    if (typeof next !== "string" || !next.startsWith("/") || !URL.canParse(next, HERE)) return HOME;
    // Reads it as a browser would: `/\evil`, `/<tab>/evil` and `/.//evil` look like paths but aren't.
    const { origin, pathname, search } = new URL(next, HERE);
    if (origin !== HERE || pathname.startsWith("//")) return HOME;
    return pages.some((page) => page.test(pathname)) ? pathname + search : HOME;
  };
}

function patternOf(url: string): RegExp {
  const escaped = url.replace(/[.+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`^${escaped.replace(/:\w+/g, "[^/]+").replace(/\*/g, ".*")}$`);
}
