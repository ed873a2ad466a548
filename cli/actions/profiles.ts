import { defined } from "../../transforms/model/defined.ts";
import type { CommandContext } from "../arguments/command.ts";
import type { ExitName } from "../errors/exit-codes.ts";
import { storedProfiles } from "../login/credentials.ts";
import { againLine, checkLogin, knownLogin, type LoginState, placeOf, storedIn } from "../login/logins.ts";
import { table } from "../terminal/output.ts";

/** The states of a login in words for people, with the exit code of the command. */
const STATES: Readonly<Record<LoginState, { readonly word: string; readonly exit?: ExitName }>> = {
  unasked: { word: "not asked: --check asks it" },
  readable: { word: "the token is there" },
  works: { word: "works" },
  unreadable: { word: "the token can't be read", exit: "login" },
  refused: { word: "the log refuses it: it may have been revoked", exit: "login" },
  unreachable: { word: "the log can't be asked", exit: "service" },
};

/** `logferry profiles`: lists the stored logins, and whether they work. */
export async function act(context: CommandContext): Promise<ExitName> {
  const { output, options, signal } = context;
  const names = await storedProfiles();
  const rows: string[][] = [];
  const problems: string[] = [];
  let exit: ExitName = "done";
  for (const [index, name] of names.entries()) {
    if (signal.aborted) return "stopped";
    if (options.check === true) output.progress({ phase: "asking logs", done: index, total: names.length });
    const known = await knownLogin(name);
    if ("problem" in known) {
      output.emit("profile", known);
      rows.push([name, known.problem]);
      exit = "login";
      continue;
    }
    const { login } = known;
    const { state, user, problem } = await checkLogin(known, options.check === true, context);
    const { word, exit: found } = STATES[state];
    const again = found === "login" ? againLine(name, login) : undefined;
    output.emit("profile", {
      profile: name,
      url: login.url,
      ...defined({ name: login.name }),
      stored: storedIn(login),
      token: state,
      ...defined({ user, problem, again }),
    });
    const isRenamed = user !== undefined && login.name !== undefined && user !== login.name;
    rows.push([name, login.name ?? "", login.url, placeOf(login), isRenamed ? `${word}, as ${user}` : word]);
    if (problem !== undefined) problems.push(`  ${name}: ${problem}`);
    if (again !== undefined) problems.push(`  ${name}: log in again: ${again}`);
    if (found !== undefined && exit !== "login") exit = found;
  }
  output.endProgress();
  if (rows.length > 0) output.say(...table(rows));
  for (const line of problems) output.say(line);
  output.conclude(
    rows.length === 0
      ? "Nobody is logged in. Begin with: logferry login --url URL"
      : `${rows.length === 1 ? "One profile" : `${rows.length} profiles`}${exit === "done" ? "" : "; some need a look"}. Choose one with --profile NAME.`,
  );
  return exit;
}
