/** Links that sign one browser in, once. The operator of a service on this machine hands them out, so that its owner needs no password. */
import type { FastifyInstance } from "fastify";
import { hashOf, newToken } from "../http/ids.ts";
import { showProblem } from "../pages/show.ts";
import type { Sessions } from "./sessions.ts";

/** Keys that sign in once. They live as long as the process, and only their hashes are kept. */
export class OnceKeys {
  readonly #users = new Map<string, string>();

  /** Makes a key for a user. @returns the address to open, without the service's own: `/sign-in/once/KEY` */
  add(userId: string): string {
    const key = newToken();
    this.#users.set(hashOf(key), userId);
    return `/sign-in/once/${key}`;
  }

  /** The user of a key, which is worth nothing from now on; undefined for a key that was used or never made. */
  take(key: string): string | undefined {
    const hash = hashOf(key);
    const userId = this.#users.get(hash);
    this.#users.delete(hash);
    return userId;
  }
}

/** Adds `/sign-in/once/KEY`. */
export function onceRoutes(app: FastifyInstance, sessions: Sessions, keys: OnceKeys): void {
  app.get<{ Params: { key: string } }>(
    "/sign-in/once/:key", // A preview asks for the head of a page, and must not use the link up.
    { config: { isPublic: true }, exposeHeadRoute: false },
    async (request, reply) => {
      const userId = keys.take(request.params.key);
      if (userId === undefined)
        return showProblem(
          reply,
          404,
          "This link is used up",
          "It signs one browser in, once. For a new link, press Ctrl-C where the rehearsal runs, and type the same command again.",
        );
      await sessions.begin(request, reply, userId);
      return reply.redirect("/", 303);
    },
  );
}
