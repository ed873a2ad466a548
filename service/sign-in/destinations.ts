/** Where a browser may be sent after signing in: to pages of ours, by their addresses, and nowhere else. */
import type { FastifyInstance } from "fastify";

/** Stands for this service while an address is read. */
const HERE = "http://here.invalid";

/** The way home. */
export const HOME = "/";

/** Of no use as a destination. */
const NEVER = new Set(["/sign-in", "/sign-out"]);

/**
 * Collects the addresses of pages as they are added to `app`.
 *
 * @returns makes an address of what came as `next`: path and query of a page of ours, else `HOME`
 */
export function destinationsOf(app: FastifyInstance): (next: unknown) => string {
  const pages: RegExp[] = [];
  app.addHook("onRoute", ({ url, method }) => {
    if ([method].flat().includes("GET") && !NEVER.has(url)) pages.push(patternOf(url));
  });
  return (next) => {
    if (typeof next !== "string" || !next.startsWith("/") || !URL.canParse(next, HERE)) return HOME;
    // As a browser would read it: `/\evil`, `/<tab>/evil` and `/.//evil` are not what they look like.
    const { origin, pathname, search } = new URL(next, HERE);
    if (origin !== HERE || pathname.startsWith("//")) return HOME;
    return pages.some((page) => page.test(pathname)) ? pathname + search : HOME;
  };
}

function patternOf(url: string): RegExp {
  const escaped = url.replace(/[.+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`^${escaped.replace(/:\w+/g, "[^/]+").replace(/\*/g, ".*")}$`);
}
