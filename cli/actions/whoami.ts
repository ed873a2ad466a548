import type { CommandContext } from "../arguments/command.ts";
import type { ExitName } from "../errors/exit-codes.ts";
import { storedProfiles } from "../login/credentials.ts";
import { knownLogin, placeOf, storedIn } from "../login/logins.ts";
import { openLogView } from "../session/session.ts";
import { table } from "../terminal/output.ts";

/** `logferry whoami`: shows the owner of the log, and its units. */
export async function act(context: CommandContext): Promise<ExitName> {
  if (context.options.all === true) return listProfiles(context);
  await using log = await openLogView(context);
  const { url } = log;
  const { account, preference } = log.view;
  context.output.emit("account", { name: account.name, url, preference });
  context.output.conclude(
    `${account.name} at ${url}; units ${preference.distanceUnit}, ${preference.weightUnit}, ${preference.temperatureUnit}; ` +
      `UTC${offset(preference.utcOffset)}`,
  );
  return "done";
}

async function listProfiles({ output, options }: CommandContext): Promise<ExitName> {
  const profiles = await storedProfiles();
  const rows: string[][] = [];
  for (const profile of profiles) {
    const known = await knownLogin(profile);
    if ("problem" in known) {
      output.emit("profile", known);
      rows.push([profile, known.problem]);
      continue;
    }
    const { url, name } = known.login;
    output.emit("profile", { profile, url, ...(name !== undefined && { name }), stored: storedIn(known.login) });
    rows.push([profile, name ?? "", url, placeOf(known.login), profile === options.profile ? "in use" : ""]);
  }
  if (rows.length > 0) output.say(...table(rows));
  output.conclude(
    rows.length === 0
      ? "Nobody is logged in. Begin with: logferry login --url URL"
      : `${rows.length === 1 ? "One profile" : `${rows.length} profiles`}. Choose one with --profile NAME.`,
  );
  return "done";
}

function offset(hours: number | undefined): string {
  if (hours === undefined) return " offset not set";
  return `${hours < 0 ? "-" : "+"}${Math.abs(hours)}`;
}
