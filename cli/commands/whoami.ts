import type { Command, CommandContext } from "../command.ts";
import { credentialsPath, readLogin, type StoredLogin, storedProfiles } from "../credentials.ts";
import { type ExitName, UsageError } from "../exit-codes.ts";
import { table } from "../output.ts";
import { openLogView, SESSION_OPTIONS } from "../session.ts";

/** `logferry whoami`: whose log it is, and in which units. */
export const whoami: Command = {
  name: "whoami",
  summary: "say whose log the stored token opens",
  details: [
    "Asks the service who the token's owner is, and prints the units and the distance from UTC they chose.",
    "With --all: lists every profile that was logged in to, with its log and where its token is, without asking anybody.",
  ],
  options: ["all", ...SESSION_OPTIONS],
  examples: [
    { line: "logferry whoami --profile ana", does: "check ana's token" },
    { line: "logferry whoami --all", does: "every profile there is" },
  ],
  async run(context) {
    if (context.options.all === true) return listProfiles(context);
    const { url, view, close } = await openLogView(context);
    try {
      const { account, preference } = view;
      context.output.emit("account", { name: account.name, url, preference });
      context.output.conclude(
        `${account.name} at ${url}; units ${preference.distanceUnit}, ${preference.weightUnit}, ${preference.temperatureUnit}; ` +
          `UTC${offset(preference.utcOffset)}`,
      );
      return "done";
    } finally {
      await close();
    }
  },
};

async function listProfiles({ output, options }: CommandContext): Promise<ExitName> {
  const profiles = await storedProfiles();
  const rows: string[][] = [];
  for (const profile of profiles) {
    const login = await readLogin(credentialsPath(profile)).catch((error: unknown) => {
      // One bad file must not hide the others.
      if (error instanceof UsageError) return error;
      throw error;
    });
    if (login instanceof UsageError || login === undefined) {
      const trouble = login?.message ?? "it was removed meanwhile";
      output.emit("profile", { profile, trouble });
      rows.push([profile, trouble]);
    } else {
      const { url, name } = login;
      output.emit("profile", { profile, url, ...(name !== undefined && { name }), stored: login.keyring ?? "file" });
      rows.push([profile, name ?? "", url, placeOf(login), profile === options.profile ? "in use" : ""]);
    }
  }
  if (rows.length > 0) output.say(table(rows));
  output.conclude(
    rows.length === 0
      ? "Nobody is logged in. Begin with: logferry login --url URL"
      : `${rows.length === 1 ? "One profile" : `${rows.length} profiles`}. Choose one with --profile NAME.`,
  );
  return "done";
}

function placeOf({ keyring }: StoredLogin): string {
  return keyring === undefined ? "token in a file" : `token in the keyring (${keyring})`;
}

function offset(hours: number | undefined): string {
  if (hours === undefined) return " offset not set";
  return `${hours < 0 ? "-" : "+"}${Math.abs(hours)}`;
}
