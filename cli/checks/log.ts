/** Checks of the log: whether logferry can reach it, whether the token is good, and the abilities of the service. They only read. */
import { checkedBaseUrl } from "../../connectors/api/base-url.ts";
import { readCapabilities } from "../../connectors/api/capabilities.ts";
import { getUser } from "../../connectors/api/client.ts";
import type { Connection } from "../../connectors/api/connection.ts";
import type { PreferenceRead } from "../../connectors/api/decode.ts";
import type { Fetcher } from "../../connectors/api/exchange.ts";
import { listAllCourses, listAllWorkouts } from "../../connectors/api/listing.ts";
import { FatalError, TransferError } from "../../connectors/errors.ts";
import { firstPreference } from "../../pipelines/log/log-view.ts";
import { unitSpelt } from "../../transforms/units.ts";
import type { CommandContext } from "../arguments/command.ts";
import { exitOf, UsageError } from "../errors/exit-codes.ts";
import { connectTo } from "../login/connect.ts";
import { credentialsPath, readLogin } from "../login/credentials.ts";
import { type FoundCredentials, findCredentials } from "../login/find-credentials.ts";
import { count } from "../terminal/output.ts";
import type { Finding } from "./finding.ts";

/** The checks, in their order. After a bad one, the results of the later checks can't be known. */
const CHECKS = [
  "login",
  "address",
  "reachable",
  "clock",
  "token",
  "preference",
  "user",
  "workouts",
  "courses",
  "filters",
];

/** Checks everything about the log that the options lead to. */
export async function* checkLog(context: CommandContext): AsyncIterable<Finding> {
  const done = new Set<string>();
  for await (const finding of findings(context)) {
    done.add(finding.check);
    yield finding;
  }
  for (const check of CHECKS) {
    if (!done.has(check)) yield { check, state: "unknown", found: "can't be told before the rest is right" };
  }
}

async function* findings(context: CommandContext): AsyncIterable<Finding> {
  let credentials: FoundCredentials;
  try {
    credentials = await findCredentials(context);
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof FatalError)) throw error;
    yield { check: "login", state: "bad", found: error.message, exit: exitOf(error) };
    return;
  }
  yield await loginFinding(context, credentials);

  const address = addressFinding(credentials.url);
  yield address;
  if (address.state === "bad") return;

  const seen: { answer?: Seen } = {};
  await using connection = connectTo(credentials.url, credentials.token, (fetcher) =>
    watching(fetcher, context.now, seen),
  );
  yield* overTheWire(context, connection, seen);
}

async function loginFinding({ options }: CommandContext, { from }: FoundCredentials): Promise<Finding> {
  if (from === "given") return { check: "login", state: "good", found: "by the token that is given for this command" };
  const path = credentialsPath(options.profile);
  const { keyring, name } = (await readLogin(path)) ?? {};
  const place = keyring === undefined ? path : `the system keyring (${keyring})`;
  return {
    check: "login",
    state: "good",
    found: `profile ${options.profile}${name === undefined ? "" : `, ${name}`}; the token is in ${place}`,
  };
}

function addressFinding(url: string): Finding {
  try {
    const { origin, prefix } = checkedBaseUrl(url);
    const how = origin.startsWith("https:") ? "encrypted" : "plain http, which doesn't leave this machine";
    return { check: "address", state: "good", found: `${origin}${prefix}, ${how}` };
  } catch (error) {
    if (!(error instanceof TransferError)) throw error;
    return { check: "address", state: "bad", found: error.message, remedy: "Give it with --url.", exit: exitOf(error) };
  }
}

/** The part of an answer that shows the way to the service. */
interface Seen {
  readonly status: number;
  readonly date: string | undefined;
  readonly askedAt: number;
  readonly answeredAt: number;
}

/** The fetcher, which also keeps the last answer. */
function watching(fetcher: Fetcher, now: () => number, seen: { answer?: Seen }): Fetcher {
  return {
    async exchange(request, signal) {
      const askedAt = now();
      const outcome = await fetcher.exchange(request, signal);
      if (outcome.kind === "answer") {
        seen.answer = { status: outcome.status, date: outcome.date, askedAt, answeredAt: now() };
      }
      return outcome;
    },
    close: () => fetcher.close(),
  };
}

async function* overTheWire(
  { signal }: CommandContext,
  connection: Connection,
  seen: { answer?: Seen },
): AsyncIterable<Finding> {
  let preference: PreferenceRead | undefined;
  let problem: TransferError | undefined;
  try {
    preference = await firstPreference(connection, signal);
  } catch (error) {
    if (!(error instanceof TransferError) || signal.aborted) throw error;
    problem = error;
  }
  const { answer } = seen;
  if (answer === undefined) {
    const found = problem?.message ?? "no answer came";
    yield { check: "reachable", state: "bad", found, remedy: UNREACHED, exit: "service" };
    return;
  }
  yield {
    check: "reachable",
    state: "good",
    found: `it answered within ${Math.max(1, answer.answeredAt - answer.askedAt)} ms`,
  };
  yield clockFinding(answer.date, answer.askedAt, answer.answeredAt);

  if (problem instanceof FatalError && problem.reason === "login") {
    yield { check: "token", state: "bad", found: problem.message, remedy: LOG_IN, exit: "login" };
    return;
  }
  if (preference === undefined) {
    const found = problem?.message ?? "";
    yield { check: "preference", state: "bad", found, remedy: NOT_A_LOG, exit: "service" };
    return;
  }
  yield { check: "token", state: "good", found: "the service accepts it" };
  yield preferenceFinding(preference);
  yield await tryCheck("user", signal, () => userFinding(connection, signal));
  yield await tryCheck("workouts", signal, () => listingFinding("workouts", listAllWorkouts(connection, signal)));
  yield await tryCheck("courses", signal, () => listingFinding("courses", listAllCourses(connection, signal)));
  yield await tryCheck("filters", signal, () => filtersFinding(connection, signal));
}

const UNREACHED = "Is the address right, the service up, and this machine on the network?";
const LOG_IN = "Log in again: logferry login";
const NOT_A_LOG = "Is the address that of a training log? It may have moved, or have a fault: try again later.";

/** Runs a check. A failed request ends this check, but not the others. */
async function tryCheck(check: string, signal: AbortSignal, find: () => Promise<Finding>): Promise<Finding> {
  try {
    return await find();
  } catch (error) {
    if (!(error instanceof TransferError) || signal.aborted) throw error;
    return { check, state: "bad", found: error.message, remedy: NOT_A_LOG, exit: exitOf(error) };
  }
}

/**
 * Milliseconds by which two clocks may differ without harm. A greater difference can change a date, or make a login's code expire before it
 * arrives.
 */
const CLOCKS_APART = 60_000;

/**
 * Compares this machine's clock with the service's.
 *
 * @param date the `Date` header: whole seconds
 * @param askedAt milliseconds since 1970, by this machine
 */
export function clockFinding(date: string | undefined, askedAt: number, answeredAt: number): Finding {
  const theirs = date === undefined ? Number.NaN : Date.parse(date);
  if (Number.isNaN(theirs))
    return { check: "clock", state: "unknown", found: "the service doesn't say what time it has" };
  // The service wrote the header between the request and the answer, and cut it to whole seconds.
  const ahead = askedAt > theirs + 1000 ? askedAt - theirs - 1000 : answeredAt < theirs ? answeredAt - theirs : 0;
  if (Math.abs(ahead) < CLOCKS_APART) {
    return { check: "clock", state: "good", found: "this machine and the service agree on the time" };
  }
  const size =
    Math.abs(ahead) >= 7_200_000
      ? `${Math.round(Math.abs(ahead) / 3_600_000)} h`
      : `${Math.round(Math.abs(ahead) / 60_000)} min`;
  return {
    check: "clock",
    state: "look",
    found: `this machine's clock is ${size} ${ahead > 0 ? "ahead of" : "behind"} the service's`,
    remedy: "Set this machine's clock: certificates and logins depend on it.",
  };
}

/** Checks the preference, because it decides the units of everything that logferry writes. */
function preferenceFinding({ distanceUnit, weightUnit, temperatureUnit, utcOffset }: PreferenceRead): Finding {
  const check = "preference";
  if (distanceUnit === undefined || unitSpelt("distance", distanceUnit) === undefined) {
    return {
      check,
      state: "bad",
      found: "it names no unit of distance that we know",
      remedy: "Set the units in the log's own pages.",
      exit: "service",
    };
  }
  const units = [distanceUnit, weightUnit, temperatureUnit].filter((unit) => unit !== undefined).join(", ");
  if (utcOffset === undefined) {
    return {
      check,
      state: "look",
      found: `units ${units}; no offset from UTC`,
      remedy: "Set it in the log's own pages, or name the zone of old recordings with --zone.",
    };
  }
  return { check, state: "good", found: `units ${units}; UTC${utcOffset < 0 ? "-" : "+"}${Math.abs(utcOffset)}` };
}

async function userFinding(connection: Connection, signal: AbortSignal): Promise<Finding> {
  try {
    const { screenName, person } = await getUser(connection, signal);
    return { check: "user", state: "good", found: screenName ?? person?.email ?? "the owner has no name" };
  } catch (error) {
    if (!(error instanceof FatalError) || error.code !== "api/http-403") throw error;
    return {
      check: "user",
      state: "look",
      found: "the owner's name is withheld: access to private information was not granted",
      remedy: "All works without it. To tell accounts apart, log in again and allow it.",
    };
  }
}

async function listingFinding(
  check: "workouts" | "courses",
  listing: Promise<{ readonly total: number | undefined } | undefined>,
): Promise<Finding> {
  const listed = await listing;
  if (listed !== undefined) {
    const many = listed.total === undefined ? "" : `, ${count(listed.total)} of them`;
    return { check, state: "good", found: `the service lists ${check}${many}` };
  }
  return {
    check,
    state: "look",
    found: `the service can't list ${check}`,
    remedy: `${check === "workouts" ? "Workouts" : "Courses"} that are in the log already are recognised only if this journal put them there, and an answer that is lost stays in doubt.`,
  };
}

async function filtersFinding(connection: Connection, signal: AbortSignal): Promise<Finding> {
  const check = "filters";
  const { workouts, filters } = await readCapabilities(connection, signal);
  if (filters === true) return { check, state: "good", found: "the listing of workouts takes filters" };
  if (filters === undefined) {
    const why = workouts === 0 ? "the log is empty" : "the first page is empty";
    return { check, state: "unknown", found: `whether the listing takes filters can't be told: ${why}` };
  }
  return { check, state: "good", found: "the listing of workouts takes no filters; all is read instead" };
}
