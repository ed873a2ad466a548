/** Everything that can be known of an athlete before anything is written: whose the token is, what the archives hold, what it costs. */

import { GUARD } from "../../connectors/api/pace.ts";
import type { UserRead } from "../../connectors/api/wire.ts";
import { foldedName } from "../../pipelines/batch/names.ts";
import type { Outcome, Standing } from "../../pipelines/batch/outcome.ts";
import { costOf } from "../../pipelines/cost.ts";
import { closeSources, openSources } from "../../pipelines/sources.ts";
import { summarise } from "../../pipelines/summary.ts";
import { archiveLimits } from "../archive-limits.ts";
import type { Budget } from "../budget.ts";
import type { CommandContext } from "../command.ts";
import type { Output } from "../output.ts";
import { makePlan, openLogView, pace, type Session, sessionOn } from "../session.ts";
import { addressOf, contextOf, failureOf, journalOf, markOf } from "./athlete.ts";
import type { Hosts } from "./hosts.ts";
import type { Athlete } from "./roster.ts";

/** What a preflight found. */
export interface Preflight {
  readonly athlete: Athlete;
  /** `ready`, or why it can't be begun. */
  readonly outcome: Outcome;
  /** Tells two athletes with one log apart from others; undefined where the log was not opened. */
  readonly account: string | undefined;
}

/** What is learnt on the way, also when it ends early. */
type Learnt = { -readonly [K in keyof Outcome]?: Outcome[K] };

/** Looks at one athlete. Never throws: what goes wrong is theirs alone. */
export async function preflight(
  context: CommandContext,
  athlete: Athlete,
  { hosts, output }: { readonly hosts: Hosts; readonly output: Output },
): Promise<Preflight> {
  const learnt: Learnt = { mark: "" };
  let budget: Budget | undefined;
  let account: string | undefined;
  const outcome = (standing: Standing, why?: string): Outcome => ({
    ...{ athlete: athlete.name, standing, at: context.now(), mark: "" },
    ...learnt,
    requests: budget?.used ?? 0,
    ...(why !== undefined && { why }),
  });
  try {
    const url = await addressOf(athlete, context.options);
    if (url !== undefined) learnt.log = { url, account: athlete.expects.screenName ?? athlete.name };
    learnt.mark = await markOf(athlete, context);
    const own = contextOf(context, athlete, output);
    const sources = await openSources(own.arguments, own.options.map, archiveLimits(own.options));
    try {
      const host = hosts(url);
      const opened = await openLogView(own, host === undefined ? {} : { host });
      budget = opened.budget;
      const { account: whose, user } = opened.view;
      learnt.log = { url: opened.url, account: whose.name };
      account = `${whose.baseUrl} ${whose.userHash}`;
      const stranger = whyStranger(athlete, user);
      if (stranger !== undefined) {
        await opened.close();
        return { athlete, account, outcome: outcome("held", stranger) };
      }
      // From here on: the journal is bound to the account.
      const session = await sessionOn(own, opened);
      try {
        const run = await makePlan(own, session, sources);
        if (run === undefined) return { athlete, account, outcome: outcome("stopped", whyStopped(session)) };
        const { all } = await summarise(session.journal, run);
        const { requests } = await costOf(session.journal, run.id, "later");
        const perSecond = pace(own.options).start;
        learnt.journal = journalOf(athlete);
        learnt.run = run.id;
        learnt.ledger = all;
        learnt.cost = {
          requests,
          ...(perSecond !== undefined && { seconds: Math.ceil((requests * GUARD) / perSecond) }),
        };
        return { athlete, account, outcome: outcome("ready") };
      } finally {
        await session.close();
      }
    } finally {
      await closeSources(sources);
    }
  } catch (error) {
    const { standing, why } = failureOf(error, context.signal.aborted);
    return { athlete, account, outcome: outcome(standing, why) };
  }
}

function whyStopped({ budget }: Session): string {
  return budget.why ?? "stopped while it was planned";
}

/** Why the owner of a token is not the athlete; undefined where they are. */
function whyStranger({ expects }: Athlete, user: UserRead = {}): string | undefined {
  const { screenName, email } = expects;
  const theirs = { screenName: user.screenName, email: user.person?.email };
  const isNamed =
    screenName !== undefined &&
    theirs.screenName !== undefined &&
    foldedName(screenName) === foldedName(theirs.screenName);
  const isAddressed =
    email !== undefined && theirs.email !== undefined && foldedName(email) === foldedName(theirs.email);
  if (isNamed || isAddressed) return undefined;
  return `the token belongs to ${theirs.screenName ?? theirs.email ?? "somebody whose name the log withholds"}, not to ${screenName ?? email}`;
}
