/**
 * Completes the commands that a message suggests, for a person who works with another profile, journal or log than the usual one. Pasted without
 * those options, the commands would go to somebody else's log, or to none.
 */
import { existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { shellWord } from "../transforms/text/shell.ts";
import type { Output } from "./terminal/output.ts";

/** Options of a command line that the next command needs, too. */
export interface TypedOptions {
  readonly profile?: string | undefined;
  readonly journal?: string | undefined;
  readonly url?: string | undefined;
  /** The path of a file. It is no secret, unlike what is in it. */
  readonly tokenFile?: string | undefined;
}

/** The words of the options. */
const WORDS = { profile: "--profile", journal: "--journal", url: "--url", tokenFile: "--token-file" } as const;

type Name = keyof typeof WORDS;

const NAMES = Object.keys(WORDS) as readonly Name[];

const LOG_ONLY = ["export", "backup", "schedule", "batch", "login"];
const JOURNAL_AND_LOG =
  "promote plan import apply status history explain quarantine retry undo verify certify restore whoami doctor".split(
    " ",
  );

/** They read the journal alone. */
const WITHOUT_LOG = ["status", "history"];
const WITH_LOG = [...LOG_ONLY, ...JOURNAL_AND_LOG].filter((name) => !WITHOUT_LOG.includes(name));

/**
 * The commands that take each option, and that need it: a command that works without a log ignores the profile. The commands' own tables say
 * the same, which a test checks. Loading all of them would double the time until the first line.
 */
export const COMMANDS_WITH: Readonly<Record<Name, readonly string[]>> = {
  profile: [...LOG_ONLY, ...JOURNAL_AND_LOG],
  journal: JOURNAL_AND_LOG,
  url: WITH_LOG,
  // Each athlete of a batch has a token of their own.
  tokenFile: WITH_LOG.filter((name) => name !== "batch"),
};

/** The same output. Every command that it suggests gets the options that the person typed. */
export function withTypedOptions(output: Output, options: TypedOptions): Output {
  const typed = NAMES.filter((name) => options[name] !== undefined && !(name === "url" && holdsSecret(options[name])));
  if (typed.length === 0) return output;
  return mapLines(output, (line) => completed(line, options, typed));
}

/**
 * The same output, for the journal of a rehearsal. Its private log listens only while `rehearse` runs, so each suggested command that needs the log
 * becomes the command that rehearses once more. Settings to try stay in it.
 *
 * @param again that command
 */
export function asInRehearsal(output: Output, again: string): Output {
  const change = (line: string) =>
    toRehearsalWords(line)
      .split(NEEDS_LOG)
      .map((part, at) => (at === 0 ? part : withoutUseless(part).replace(/ --restore-missing\b/, "")))
      .join(again);
  const emit: Output["emit"] = (type, fields) => output.emit(type, mapSuggestions(fields, change));
  return { ...mapLines(output, change), emit };
}

/** What a message suggests without a command, and what a person does instead. The first that fits counts. */
type Phrases = readonly (readonly [RegExp, string])[];

/** Nobody plans in a rehearsal, and deletes nothing in its private log: after a decision it begins anew. */
const IN_REHEARSAL: Phrases = [
  [
    /Delete one of them there, or answer that they are two/g,
    "Answer whether they are one, and rehearse once more: the private log begins anew",
  ],
  [
    /logferry deletes nothing there: delete one of them in your log yourself, then plan again/g,
    "The next rehearsal has them as one",
  ],
  [/, and delete one of them in your log yourself/g, ", and rehearse once more"],
  [/\bplan again\b/g, "rehearse once more"],
  [/\bPlan again\b/g, "Rehearse once more"],
];

/** A promotion takes its options from the rehearsal. What changed in the log since is seen by promoting again. */
const IN_PROMOTION: Phrases = [
  [/\bPlan again\b/g, "Promote again"],
  [/\bplan again\b/g, "rehearse once more"],
];

function inWordsOf(phrases: Phrases, line: string): string {
  return phrases.reduce((text, [phrase, words]) => text.replace(phrase, words), line);
}

/** A message of a plan, with what a person does in a rehearsal. */
export function toRehearsalWords(line: string): string {
  return inWordsOf(IN_REHEARSAL, line);
}

/** The same output, for a promotion. */
export function asInPromotion(output: Output): Output {
  const change = (line: string) => inWordsOf(IN_PROMOTION, line);
  const emit: Output["emit"] = (type, fields) => output.emit(type, mapSuggestions(fields, change));
  return { ...mapLines(output, change), emit };
}

/** The members of a JSON line that suggest something. Others hold what the sources say. */
const SUGGESTIONS: readonly string[] = ["command", "todo", "sentence", "expected", "remedy"];

function mapSuggestions<T>(value: T, change: (line: string) => string): T {
  const changed = (one: unknown): unknown => {
    if (Array.isArray(one)) return one.map(changed);
    if (typeof one !== "object" || one === null) return one;
    return Object.fromEntries(
      Object.entries(one).map(([name, of]) => [
        name,
        typeof of === "string" && SUGGESTIONS.includes(name) ? change(of) : changed(of),
      ]),
    );
  };
  return changed(value) as T;
}

/** What a file says, with the commands that the output would print. */
export function asPrinted<T>(said: T, { completes }: Pick<Output, "completes">): T {
  return completes === undefined ? said : mapSuggestions(said, completes);
}

/** The folder of the rehearsal that a journal belongs to; undefined for any other journal. */
export function folderOfRehearsal(journal: string | undefined): string | undefined {
  if (journal === undefined || basename(journal) !== "journal.db") return undefined;
  const folder = dirname(resolve(journal));
  return existsSync(join(folder, "rehearsed.json")) ? folder : undefined;
}

/** The same output; for the journal of a rehearsal, as `asInRehearsal` has it. */
export function inRehearsal(output: Output, journal: string | undefined): Output {
  const folder = folderOfRehearsal(journal);
  return folder === undefined ? output : asInRehearsal(output, `logferry rehearse --out ${shellWord(folder)}`);
}

/** Commands that need the log. */
const NEEDS_LOG = /\blogferry (?:quarantine retry|apply|verify|retry|import|certify)\b/g;

/** Words after such a command that `rehearse` has no use for: ids, rules, and options about other runs. */
const NO_USE = [
  /^ --run \d+/,
  /^ --(?:restore-missing|verbose)\b/,
  /^ [a-z]+\/[a-z-]+/,
  /^ [\da-f]{6,32}\b/,
  /^ ID\b/,
] as const;

function withoutUseless(words: string): string {
  const found = NO_USE.map((pattern) => pattern.exec(words)?.[0]).find((word) => word !== undefined);
  return found === undefined ? words : withoutUseless(words.slice(found.length));
}

/** A remedy with the id of a record in place of `ID`, so that its commands can be pasted. */
export function withIdOf(id: string, remedy: string): string {
  return remedy.replaceAll(/(\blogferry [a-z-]+(?: [a-z-]+)*) ID\b/g, `$1 ${id}`);
}

function mapLines(output: Output, change: (line: string) => string): Output {
  return {
    ...output,
    say: (...lines) => output.say(...lines.map(change)),
    conclude: (...lines) => output.conclude(...lines.map(change)),
    warn: (...lines) => output.warn(...lines.map(change)),
    remark: (...lines) => output.remark(...lines.map(change)),
    completes: (line) => output.completes?.(change(line)) ?? change(line),
  };
}

/** Whether an address has more than its place: a name and a password, or a query. */
function holdsSecret(address = ""): boolean {
  const { username = "", password = "", search = "" } = URL.parse(address) ?? {};
  return username + password + search !== "";
}

function completed(line: string, options: TypedOptions, typed: readonly Name[]): string {
  return line.replaceAll(SUGGESTED, (words: string, name: string) => {
    const missing = typed.filter(
      (option) =>
        COMMANDS_WITH[option].includes(name) &&
        !line.includes(`${WORDS[option]} `) &&
        !isOfPrivateLog(name, option, options),
    );
    return [words, ...missing.map((option) => `${WORDS[option]} ${shellWord(options[option] ?? "")}`)].join(" ");
  });
}

/** A promotion writes to the real log, whose journal is another one than that of the rehearsal. */
function isOfPrivateLog(command: string, option: Name, { journal }: TypedOptions): boolean {
  return command === "promote" && option === "journal" && folderOfRehearsal(journal) !== undefined;
}

const SUGGESTED = /\blogferry ([a-z]+)\b/g;
