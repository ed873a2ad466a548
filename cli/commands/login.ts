import type { Command } from "../arguments/command.ts";

/** `logferry login`: gets an access token in the browser or from the person, checks it, and stores it. */
export const login: Command = {
  name: "login",
  details: [
    "With --client-id logferry opens the log's own page in your browser. You sign in and allow access there. logferry never sees your password. It waits five minutes for the browser to come back. The log gives you the key and the secret when you register logferry as an application, with the redirect addresses http://localhost and urn:ietf:wg:oauth:2.0:oob. The secret comes from LOGFERRY_CLIENT_SECRET or --client-secret-file, or logferry asks for it.",
    "With --oob, for a machine without a browser, logferry prints the address. Open it on any other machine, and type the code that the page shows at its end.",
    "Without --client-id logferry takes an access token that you have already, from --token-file, from LOGFERRY_TOKEN, or from standard input.",
    "With --token-command logferry takes the token from the first line that a command prints, such as 'pass show log/ana'. It remembers the command and not the token. No shell reads the command. It runs once for each logferry command that needs the token.",
    "logferry checks the token with the service and stores it under the profile: in the system's keyring, else in a file that only you can read. Jobs that run without you (cron) can't unlock a keyring. Log in for them with --no-keyring. logferry never takes a token or a secret from the command line, because other users of the machine could see it. Without --url it logs in to the same log as the last time.",
  ],
  options: [
    "url",
    "clientId",
    "clientSecretFile",
    "authUrl",
    "oob",
    "tokenFile",
    "tokenCommand",
    "tokenStdin",
    "noKeyring",
  ],
  examples: [
    { line: "logferry login --url https://log.example --client-id 4fd2", does: "log in with the browser" },
    { line: "logferry login --url https://log.example --client-id 4fd2 --oob", does: "with a browser elsewhere" },
    { line: "logferry login --url https://log.example --token-file token.txt", does: "store the token in token.txt" },
    { line: "logferry login --url https://log.example --profile ana", does: "ask for ana's token" },
  ],
  stopping: "Stopping: nothing was stored.",
  run: async (context) => (await import("../actions/login.ts")).act(context),
};
