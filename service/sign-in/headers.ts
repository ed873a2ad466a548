/** What browsers are told to allow on pages: next to nothing. */
import type { FastifyHelmetOptions } from "@fastify/helmet";

/** One stylesheet and one icon of ours, forms that come back here, no script, no frame around a page. */
const CONTENT = {
  "default-src": ["'none'"],
  "style-src": ["'self'"],
  "img-src": ["'self'"],
  "form-action": ["'self'"],
  "frame-ancestors": ["'none'"],
  "base-uri": ["'none'"],
} as const;

/** A browser that came by https comes by https for two years. */
const HSTS = { maxAge: 63_072_000, includeSubDomains: false };

/** Where else a form of the page may lead, and whether the browser came by https. */
export interface Allowance {
  readonly https: boolean;
  /** Origins a form's answer may redirect to: browsers hold `form-action` against redirects too. */
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
