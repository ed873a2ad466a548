/** Leads to a login. */
import { checkedBaseUrl } from "../../connectors/api/base-url.ts";
import { TransferError } from "../../connectors/errors.ts";
import { askInOrder, BACK } from "./asking.ts";
import { isOver, type Runner, take } from "./steps.ts";

/** How a person gets into their log. */
interface Access {
  readonly url: string;
  readonly way: "token" | "browser" | "elsewhere";
  readonly clientId: string;
}

/**
 * Asks for the log and how to get in, and logs in.
 *
 * @param isUnattended for backups at night, which can't unlock a keyring
 * @returns the exit code
 */
export async function logIn(runner: Runner, isUnattended = false): Promise<number | typeof BACK> {
  const { ask } = runner;
  const access = await askInOrder<Access>([
    {
      ask: async () => {
        const url = await ask.type({ question: "What is the address of your log?", problem: wrongAddress });
        return url === BACK ? BACK : { url };
      },
    },
    {
      ask: async () => {
        const way = await ask.choose<Access["way"]>("How do you get in?", [
          { value: "token", label: "With an access token from the log", hint: "you paste it, and it is not shown" },
          { value: "browser", label: "With the browser on this computer", hint: "logferry is registered at the log" },
          { value: "elsewhere", label: "With a browser elsewhere", hint: "logferry is registered at the log" },
        ]);
        return way === BACK ? BACK : { way };
      },
    },
    {
      isAsked: ({ way }) => way !== "token",
      ask: async () => {
        const clientId = await ask.type({ question: "Which key (client id) did the log give logferry?" });
        return clientId === BACK ? BACK : { clientId };
      },
    },
  ]);
  if (access === BACK) return BACK;
  const { url = "", way, clientId } = access;
  const words = [
    ...["login", "--url", url],
    ...(clientId === undefined ? [] : ["--client-id", clientId]),
    ...(way === "elsewhere" ? ["--oob"] : []),
    ...(isUnattended ? ["--no-keyring"] : []),
  ];
  return await take(runner, "Now log in.", { words });
}

/** Logs in if there is no login. @returns BACK, or the exit code of a login that failed; undefined when there is a login now */
export async function ensureLogin(
  runner: Runner,
  isLoggedIn: boolean,
  isUnattended = false,
): Promise<number | typeof BACK | undefined> {
  if (isLoggedIn) return undefined;
  const code = await logIn(runner, isUnattended);
  return code !== BACK && isOver(code) ? undefined : code;
}

function wrongAddress(text: string): string | undefined {
  try {
    checkedBaseUrl(text);
    return undefined;
  } catch (error) {
    if (error instanceof TransferError) return error.message;
    throw error;
  }
}
