/**
 * The two assets of a page: one stylesheet and an icon. Both are text in the code, so there is no build or copy step. The stylesheet's
 * address holds a hash of its text, so a browser may keep it for good.
 */
import type { FastifyInstance } from "fastify";
import { hashOf } from "../http/ids.ts";
import { STYLE } from "./style.ts";

/** The address of the stylesheet. */
export const STYLE_ADDRESS = `/assets/style-${hashOf(STYLE).slice(0, 16)}.css`;

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1f5f8b"/><path d="M5 22l6-8 5 5 5-10 6 9" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/></svg>`;

/** Adds the addresses of the stylesheet and the icon, open to everybody. */
export function assetRoutes(app: FastifyInstance): void {
  const assets = [
    [STYLE_ADDRESS, "text/css; charset=utf-8", STYLE],
    ["/assets/icon.svg", "image/svg+xml", ICON],
  ] as const;
  for (const [address, type, text] of assets) {
    app.get(address, { config: { isPublic: true } }, async (_request, reply) => {
      reply.header("Cache-Control", "public, max-age=31536000, immutable").type(type);
      return text;
    });
  }
}
