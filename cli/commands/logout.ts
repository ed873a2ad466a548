import type { Command } from "../arguments/command.ts";

/** `logferry logout`: forgets a token. The log still accepts the token until the owner revokes it there. */
export const logout: Command = {
  name: "logout",
  details: [
    "Removes the token from the keyring or from its file. It asks no log, because the interface can't take a token back. A token never expires, and any copy of it still works. So revoke it in the log, too. The profile's journal stays, since it knows what is in the log.",
  ],
  options: [],
  examples: [{ line: "logferry logout --profile ana", does: "forget ana's token" }],
  run: async (context) => (await import("../actions/logout.ts")).act(context),
};
