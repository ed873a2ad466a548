/** Lets a person choose the data to carry over: what was found, a typed path, or a link. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { isSafeAddress, withoutQuery } from "../../connectors/containers/address.ts";
import { writePrivateFile } from "../../pipelines/private-file.ts";
import type { FoundExport, Look } from "../../pipelines/sources/look-for-exports.ts";
import { BACK } from "./asking.ts";
import { type Runner, whole } from "./steps.ts";

/** What the choice needs. */
export interface Choosing extends Runner {
  readonly look: () => Promise<Look>;
  /** The folder for links that may hold a secret. */
  readonly linkFolder: string;
}

/** The most finds that are offered. */
const MOST_SHOWN = 8;

type Pick = FoundExport | "path" | "link" | "done";

/** Asks for one source after the other. @returns words for a command: absolute paths, links, or `@FILE` with a link */
export async function chooseSources(choosing: Choosing): Promise<readonly string[] | typeof BACK> {
  const { ask } = choosing;
  const { found, unseen } = await choosing.look();
  if (unseen > 0) ask.say(`Not everything was looked at (${unseen} left). If yours is missing, type its path.`);
  const chosen: string[] = [];
  for (;;) {
    const pick = await askNext(choosing, found, chosen);
    if (pick === "done") return chosen;
    if (pick === BACK) {
      if (chosen.pop() === undefined) return BACK;
      continue;
    }
    const source = typeof pick === "object" ? pick.path : await (pick === "path" ? askPath : askLink)(choosing);
    if (source !== BACK && !chosen.includes(source)) chosen.push(source);
  }
}

function askNext({ ask, home }: Choosing, found: readonly FoundExport[], chosen: readonly string[]) {
  const left = found.filter(({ path }) => !chosen.includes(path)).slice(0, MOST_SHOWN);
  const finds = left.map((find) => ({
    value: find as Pick,
    label: find.path.startsWith(`${home}/`) ? `~${find.path.slice(home.length)}` : find.path,
    hint: `${find.title}, ${new Date(find.changedAt).toISOString().slice(0, 10)}`,
  }));
  const others = [
    { value: "path" as Pick, label: "A file or a folder that I type" },
    { value: "link" as Pick, label: "An https:// link to an export" },
  ];
  return chosen.length === 0
    ? ask.choose("Where is your data?", [...finds, ...others])
    : ask.choose("What else belongs into the same log?", [
        { value: "done" as Pick, label: "Nothing else", hint: `${chosen.length} chosen` },
        ...finds,
        ...others,
      ]);
}

async function askPath({ ask, home }: Choosing): Promise<string | typeof BACK> {
  const place = (text: string) => resolve(whole(text, home));
  const typed = await ask.type({
    question: "Which file or folder?",
    problem: (text) => problemOf(place(text)),
  });
  return typed === BACK ? BACK : place(typed);
}

/** Why a path is no data; undefined if it may be. */
function problemOf(path: string): string | undefined {
  if (!existsSync(path)) return `There is no ${path}`;
  return statSync(path).isDirectory() && readdirSync(path).length === 0 ? `There is nothing in ${path}` : undefined;
}

/** Others see the words of a command, and a link with a query is a key to the data. So it goes into a private file. */
async function askLink({ ask, linkFolder }: Choosing): Promise<string | typeof BACK> {
  const link = await ask.type({
    question: "Which link?",
    problem: (text) => (isSafeAddress(text) ? undefined : "Expected a link that begins with https://"),
  });
  if (link === BACK || withoutQuery(link) === link) return link;
  const mark = createHash("sha256").update(link).digest("hex").slice(0, 8);
  const path = join(linkFolder, `link-${mark}.txt`);
  await writePrivateFile(path, `${link}\n`);
  ask.say(`The link may be a key to your data. It is kept in ${path}, which only you can read.`);
  return `@${path}`;
}
