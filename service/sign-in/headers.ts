/** The security headers of pages: they allow a browser almost nothing. */
import type { FastifyHelmetOptions } from "@fastify/helmet";

/** Allows one stylesheet and one icon of ours, and forms that come back here. Forbids scripts and frames around a page. */
const CONTENT = {
  "default-src": ["'none'"],
  "style-src": ["'self'"],
  "img-src": ["'self'"],
  "form-action": ["'self'"],
  "frame-ancestors": ["'none'"],
  "base-uri": ["'none'"],
} as const;

/** A browser that came by https keeps using https for two years. */
const HSTS = { maxAge: 63_072_000, includeSubDomains: false };

/** Other addresses that a form of the page may lead to, and whether the browser came by https. */
export interface Allowance {
  readonly https: boolean;
  /** Origins a form's answer may redirect to. Browsers apply `form-action` to redirects too. */
  readonly formsLeadTo?: readonly string[];
}

/** Options of helmet for a page. */
export function headersOf({ https, formsLeadTo = [] }: Allowance): FastifyHelmetOptions {
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { ...CONTENT, "form-action": [...CONTENT["form-action"], ...formsLeadTo] },
    },
    frameguard: { action: "deny" },
    referrerPolicy: { policy: "no-referrer" },
    hsts: https && HSTS,
  };
}
