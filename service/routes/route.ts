/** The type of a file of routes. */

import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { FastifyInstance } from "fastify";
import type { LogStore } from "../store/log-store.ts";

/** A part of the interface: adds its routes to the app. */
export type Routes = (app: App, store: LogStore) => void;

/** The app as routes see it: bodies typed by their schemas. */
export type App = FastifyInstance<
  import("node:http").Server,
  import("node:http").IncomingMessage,
  import("node:http").ServerResponse,
  import("fastify").FastifyBaseLogger,
  TypeBoxTypeProvider
>;
