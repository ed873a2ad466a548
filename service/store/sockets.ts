/**
 * The sockets of connections to PostgreSQL. pg leaves a socket open when it gives a sign-in up, and an open socket keeps the process alive.
 */
import { Socket } from "node:net";

/** Sockets that can be cut all at once. `make` is the setting `stream` of pg. */
export function keepSockets(): { readonly make: () => Socket; readonly cut: () => void } {
  const open = new Set<Socket>();
  return {
    make() {
      const socket = new Socket();
      open.add(socket);
      return socket.once("close", () => open.delete(socket));
    },
    cut() {
      for (const socket of open) socket.destroy();
    },
  };
}

/**
 * Whether a server refused a sign-in because it wants a password and there is none.
 *
 * @param password that pg found in the address, or in PGPASSWORD
 */
export function lacksPassword(error: unknown, password: string | null | undefined): boolean {
  if (!(error instanceof Error)) return false;
  if (/client password must be/.test(error.message)) return true;
  const isRefused = "code" in error && error.code === "28P01";
  return isRefused && (password === undefined || password === null || password === "");
}
