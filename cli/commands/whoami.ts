import type { Command } from "../command.ts";
import { openLogView, SESSION_OPTIONS } from "../session.ts";

/** `logferry whoami`: whose log it is, and in which units. */
export const whoami: Command = {
  name: "whoami",
  summary: "say whose log the stored token opens",
  details: ["Asks the service who the token's owner is, and prints the units and the distance from UTC they chose."],
  options: SESSION_OPTIONS,
  examples: [{ line: "logferry whoami --profile ana", does: "check ana's token" }],
  async run(context) {
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

function offset(hours: number | undefined): string {
  if (hours === undefined) return " offset not set";
  return `${hours < 0 ? "-" : "+"}${Math.abs(hours)}`;
}
