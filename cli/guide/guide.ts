/** The guide: asks what a person wants to do, and leads there by the commands that there are. */
import { BACK, Stopped } from "./asking.ts";
import { backUp } from "./back-up.ts";
import { type Carrying, carryData, goOn } from "./carry-data.ts";
import { coach } from "./coach.ts";
import type { Next, Standing } from "./standing.ts";
import { take } from "./steps.ts";

/** Everything that the guide needs of the world. */
export interface GuideParts extends Carrying {
  /** The folder where it was started. */
  readonly folder: string;
}

type Wish = "goOn" | "data" | "backup" | "coach" | "status";

/** The answer at the start that stands for each step. */
const GO_ON: Readonly<Record<Next["kind"], string>> = {
  rehearse: "Go on with the rehearsal of OF",
  promote: "Go on: do in my real log what the rehearsal of OF did",
  apply: "Go on: carry out the plan for OF",
  verify: "Go on: check what arrived of OF",
  certify: "Go on: write the certificate of OF",
};

/**
 * Asks and leads until something was done.
 *
 * @returns the exit code of the last command, 0 when there was none
 * @throws Stopped at Ctrl-C
 */
export async function guide(parts: GuideParts): Promise<number> {
  parts.ask.say("Enter takes the marked answer. Escape goes back. Ctrl-C ends.");
  for (;;) {
    const standing = await parts.standing();
    const wish = await parts.ask.choose("What do you want to do?", wishes(standing));
    if (wish === BACK) return 0;
    const code = await fulfil(parts, wish, standing);
    // The command said that it was stopped, and how to go on.
    if (code === KILLED) throw new Stopped();
    if (code !== BACK) return code;
  }
}

const KILLED = 130;

function wishes({ next, hasJournal }: Standing): readonly { value: Wish; label: string; hint?: string }[] {
  return [
    ...(next === undefined ? [] : [{ value: "goOn" as const, label: GO_ON[next.kind].replace("OF", next.of) }]),
    { value: "data", label: "I have data to carry over", hint: "an export, watch files, a spreadsheet" },
    { value: "backup", label: "I want a backup every night" },
    { value: "coach", label: "I coach several athletes" },
    ...(hasJournal ? [{ value: "status" as const, label: "See where things stand" }] : []),
  ];
}

async function fulfil(parts: GuideParts, wish: Wish, standing: Standing): Promise<number | typeof BACK> {
  switch (wish) {
    case "goOn":
      return standing.next === undefined ? BACK : await goOn(parts, standing.next);
    case "data":
      return await carryData(parts);
    case "backup":
      return await backUp(parts, standing);
    case "coach":
      return await coach(parts, parts.folder);
    case "status":
      return await take(parts, "Past and current imports.", { words: ["status"] });
  }
}
