/** Opens an address in the person's browser, with the system's own opener and without a shell. */
import { spawn } from "node:child_process";
import { type Environment, withoutSecrets } from "./programs.ts";

/** The opener of a system: its program and the words before the address. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ["open"],
  // `start` belongs to a shell, and a shell reads `&` in an address as the end of a command.
  win32: ["rundll32.exe", "url.dll,FileProtocolHandler"],
};

/**
 * The words of the command that opens an address; undefined without a screen.
 *
 * @param address http or https; any other address is refused
 */
export function findOpener(
  address: string,
  environment: Environment,
  platform: NodeJS.Platform = process.platform,
): readonly string[] | undefined {
  if (!/^https?:\/\//.test(address)) throw new Error("Cannot open a browser: the address is not one of the web");
  const opener = OPENERS[platform];
  if (opener !== undefined) return [...opener, address];
  const hasScreen = ["DISPLAY", "WAYLAND_DISPLAY", "BROWSER", "WSL_DISTRO_NAME"].some(
    (name) => (environment[name] ?? "") !== "",
  );
  return hasScreen ? ["xdg-open", address] : undefined;
}

/**
 * Opens an address, and doesn't wait for it.
 *
 * @param onProblem called when the opener fails later
 * @returns false if there is no opener
 */
export function openBrowser(address: string, environment: Environment, onProblem: () => void): boolean {
  const [program, ...words] = findOpener(address, environment) ?? [];
  if (program === undefined) return false;
  const child = spawn(program, words, { stdio: "ignore", detached: true, env: withoutSecrets(environment) });
  child.on("error", onProblem);
  child.on("exit", (code) => {
    if (code !== 0) onProblem();
  });
  child.unref();
  return true;
}
