/** Where Node keeps what it compiled. A process that finds it there starts in half the time. */
import { join } from "node:path";

/** For the environment of a process: all processes of the tests share the folder. */
export const COMPILED = {
  NODE_COMPILE_CACHE: join(import.meta.dirname, "..", "..", "node_modules", ".cache", "compiled"),
} as const;
