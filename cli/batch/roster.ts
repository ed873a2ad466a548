/**
 * The roster: the athletes, their tokens and their archives. logferry reports all problems of a roster at once, before it sends a request
 * to any service.
 */
import { realpath, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { checkedBaseUrl } from "../../connectors/api/base-url.ts";
import { isAddress, isSafeAddress, withoutQuery } from "../../connectors/containers/address.ts";
import { FatalError } from "../../connectors/errors.ts";
import { fileNameOf, foldedName } from "../../pipelines/batch/names.ts";
import { printable } from "../../transforms/text/printable.ts";
import { didYouMean } from "../../transforms/text/suggestions.ts";
import type { ActivityTables } from "../arguments/activity-tables.ts";
import { withFlags } from "../arguments/activity-tables.ts";
import { checkedValue, kebab, OPTIONS, type OptionSpec, type OptionValues } from "../arguments/options.ts";
import { UsageError } from "../errors/exit-codes.ts";
import { describeSystemError } from "../errors/system-errors.ts";
import { isProfile } from "../login/credentials.ts";
import { type AthleteField, FIELDS, optionOfField, TOKEN_FIELDS } from "./roster-fields.ts";
import { type Cell, type Column, type Problem, type Row, readRows } from "./roster-rows.ts";

/** The place of an athlete's token. */
export interface TokenSource {
  readonly from: (typeof TOKEN_FIELDS)[number];
  /** The profile, the file's absolute path, the command, or the variable's name. Never the token. */
  readonly is: string;
}

/** One athlete of a roster. */
export interface Athlete {
  readonly name: string;
  /** The name of this athlete's files, which is different for every athlete. */
  readonly key: string;
  readonly line: number;
  /** The required owner of the token. */
  readonly expects: { readonly screenName?: string; readonly email?: string };
  readonly token: TokenSource;
  /** Absolute paths. */
  readonly archives: readonly string[];
  /** The options of the row, with absolute paths. */
  readonly options: OptionValues;
  /** The whole address to which a worker of a fleet puts the report. */
  readonly reportTo?: string;
}

/** Settings for reading the roster. */
export interface RosterContext {
  /** The options of the command line, which apply if a row leaves them out. */
  readonly options: OptionValues;
  readonly tables: ActivityTables;
  /** True if the command imports nothing and asks no log. A missing archive or address is then no problem. */
  readonly isToLookAt?: boolean;
  /** True if the paths are those of other machines, which read the archives. They are kept as they stand. */
  readonly isForFleet?: boolean;
}

/**
 * Reads and checks a roster.
 *
 * @throws UsageError with every problem, its line and its column
 */
export async function readRoster(path: string, context: RosterContext): Promise<readonly Athlete[]> {
  const { columns, rows, problems: ofForm } = await readRows(path);
  const problems: Problem[] = [...ofForm, ...columns.flatMap(unknownColumn)];
  const athletes: Athlete[] = [];
  for (const row of rows) {
    const reading = new RowReading(row, dirname(resolve(path)), context, problems);
    const athlete = await reading.athlete();
    if (athlete !== undefined) athletes.push(athlete);
  }
  await findDoubles(athletes, problems);
  if (rows.length === 0 && problems.length === 0) problems.push({ line: 1, message: "there is no athlete in it" });
  if (problems.length === 0) return athletes;
  throw new UsageError(`Cannot use the roster ${path}, and nothing was asked of any log:`, {
    more: problemLines(problems),
  });
}

/** The most lines of problems, because a file that isn't a roster can have thousands. */
const MOST_LINES = 60;

/** The problems in the order of their lines. The same problem in several lines is printed once. */
function problemLines(problems: readonly Problem[]): readonly string[] {
  const sorted = problems.toSorted((a, b) => a.line - b.line);
  const same = Map.groupBy(sorted, ({ field = "", message }) => `${field} ${message}`);
  const said = [...same.values()].map((list) => {
    const [{ field, message } = { message: "" }] = list;
    const where = field === undefined ? "" : `, ${printable(field, 40)}`;
    return `  ${linesInWords([...new Set(list.map(({ line }) => line))])}${where}: ${message}`;
  });
  const more = said.length - MOST_LINES;
  return more > 0 ? [...said.slice(0, MOST_LINES), `  and ${more} more. Is it a roster?`] : said;
}

/** `line 2`, `lines 2 and 3`, `lines 2, 3, 4 and 36 more` */
function linesInWords(lines: readonly number[]): string {
  if (lines.length === 1) return `line ${lines[0]}`;
  if (lines.length <= 4) return `lines ${lines.slice(0, -1).join(", ")} and ${lines.at(-1)}`;
  return `lines ${lines.slice(0, 3).join(", ")} and ${lines.length - 3} more`;
}

function unknownColumn({ field, line }: Column): readonly Problem[] {
  if (FIELDS.includes(field)) return [];
  const message = SECRETS.includes(field)
    ? "a token must not stand in a roster, where whoever gets it can read it: name a profile, a token-file or a token-command"
    : `there is no such column${didYouMean(field, FIELDS)}`;
  return [{ line, field, message }];
}

/** Columns that logferry leaves out on purpose. */
const SECRETS: readonly string[] = ["token", "access-token", "password"];

/** Reads one row, and adds its problems to the list. */
class RowReading {
  readonly #row: Row;
  readonly #folder: string;
  readonly #context: RosterContext;
  readonly #problems: Problem[];

  constructor(row: Row, folder: string, context: RosterContext, problems: Problem[]) {
    this.#row = row;
    this.#folder = folder;
    this.#context = context;
    this.#problems = problems;
  }

  async athlete(): Promise<Athlete | undefined> {
    const before = this.#problems.length;
    const name = this.#text("athlete");
    if (name === undefined) this.#fail("athlete", "say who it is");
    const [screenName, email] = [this.#text("screen-name"), this.#text("email")];
    if (screenName === undefined && email === undefined)
      this.#fail("screen-name", "say whose the token must be, here or under email");
    const token = await this.#token();
    const archives = await this.#archives();
    const options = await this.#options();
    const reportTo = this.#reportTo();
    const url = options.url ?? this.#context.options.url;
    if (token?.from !== "profile" && url === undefined && this.#context.isToLookAt !== true)
      this.#fail("url", "say at which address the log is, here or with --url");
    if (this.#problems.length > before || name === undefined || token === undefined) return undefined;
    return {
      name,
      key: fileNameOf(name, screenName ?? "", email ?? ""),
      line: this.#row.line,
      expects: { ...(screenName !== undefined && { screenName }), ...(email !== undefined && { email }) },
      token,
      archives,
      options,
      ...(reportTo !== undefined && { reportTo }),
    };
  }

  #fail(field: string, message: string): void {
    this.#problems.push({ line: this.#row.cells.get(field)?.line ?? this.#row.line, field, message });
  }

  /** The text in a column; undefined for an empty one. */
  #text(field: AthleteField): string | undefined {
    const value = this.#row.cells.get(field)?.value;
    if (value === undefined || value === "") return undefined;
    if (typeof value === "string" || typeof value === "number") return String(value).trim();
    this.#fail(field, "expected a text");
    return undefined;
  }

  #list(field: string): readonly string[] {
    const value = this.#row.cells.get(field)?.value;
    if (value === undefined) return [];
    if (Array.isArray(value) && value.every((one) => typeof one === "string")) return value;
    if (typeof value === "string") return listOf(value);
    this.#fail(field, "expected a text, or a list of texts");
    return [];
  }

  async #token(): Promise<TokenSource | undefined> {
    const given = TOKEN_FIELDS.filter((field) => this.#text(field) !== undefined);
    const [from] = given;
    if (from === undefined) {
      this.#fail("profile", `say where the token is: under ${TOKEN_FIELDS.join(", ")}`);
      return undefined;
    }
    if (given.length > 1) {
      this.#fail(given[1] ?? from, `the token is named twice: under ${given.join(" and ")}`);
      return undefined;
    }
    const is = this.#text(from) ?? "";
    if (from === "profile" && !isProfile(is)) {
      this.#fail(from, 'expected letters, digits, "-", "_" and "."');
      return undefined;
    }
    if (from === "token-variable" && !/^\w{1,100}$/.test(is)) {
      this.#fail(from, "expected the name of an environment variable");
      return undefined;
    }
    return { from, is: from === "token-file" ? ((await this.#path(from, is)) ?? is) : is };
  }

  async #archives(): Promise<readonly string[]> {
    const given = this.#list("archives");
    if (given.length === 0) this.#fail("archives", "say what to import");
    const paths: string[] = [];
    for (const one of given) {
      const path = await this.#path("archives", one);
      if (path !== undefined) paths.push(path);
    }
    return paths;
  }

  #reportTo(): string | undefined {
    const given = this.#text("report-to");
    if (given === undefined || this.#context.isToLookAt === true) return given;
    const { username = "", password = "" } = URL.parse(given) ?? {};
    if (this.#context.isForFleet !== true)
      this.#fail("report-to", "only the workers of a fleet put reports: use --report FOLDER");
    else if (!isSafeAddress(given) || username + password !== "")
      this.#fail("report-to", "expected an address that begins with https://, without a user and a password");
    return given;
  }

  /** An existing path, relative to the roster, or the address of a zip. */
  async #path(field: string, given: string): Promise<string | undefined> {
    if (this.#context.isForFleet === true || (field === "archives" && isAddress(given))) return given;
    const path = resolve(this.#folder, given);
    if (this.#context.isToLookAt === true) return path;
    try {
      await stat(path);
      return path;
    } catch (error) {
      // Somebody may have put a token where its file's name belongs, so the message doesn't repeat it.
      const what = field === "token-file" ? "the file" : resolve(this.#folder, withoutQuery(given));
      this.#fail(field, `cannot read ${what}: ${describeSystemError(error)}`);
      return undefined;
    }
  }

  async #options(): Promise<OptionValues> {
    const values: Record<string, unknown> = {};
    for (const [field, cell] of this.#row.cells) {
      const name = optionOfField(field);
      if (name === undefined || cell.value === undefined) continue;
      this.#isRight(field, () => {
        values[name] = checkedValue(name, cellValue(OPTIONS[name], cell), (message) => {
          throw new UsageError(message);
        });
      });
    }
    const options = values as OptionValues;
    if (options.url !== undefined) this.#isRight("url", () => void checkedBaseUrl(options.url ?? ""));
    this.#isRight(options.sport === undefined ? "activity" : "sport", () =>
      withFlags(this.#context.tables, options.sport ?? [], options.activity ?? []),
    );
    const map = options.map === undefined ? undefined : await this.#path("map", options.map);
    return { ...options, ...(map !== undefined && { map }) };
  }

  /** Whether a check passes. Its error is reported for the column. */
  #isRight(field: string, check: () => void): boolean {
    try {
      check();
      return true;
    } catch (error) {
      if (!(error instanceof UsageError || error instanceof FatalError)) throw error;
      this.#fail(field, error.message);
      return false;
    }
  }
}

/** Words for yes and no that people write in a table. */
const TRUTH: Readonly<Record<string, boolean>> = {
  yes: true,
  true: true,
  "1": true,
  no: false,
  false: false,
  "0": false,
};

/** Converts a cell to the option's type. A cell that can't be converted stays as it is, and the check refuses it. */
function cellValue({ type }: OptionSpec, { value }: Cell): unknown {
  if (type === "string") return typeof value === "number" ? String(value) : value;
  if (typeof value !== "string") return value;
  if (type === "strings") return listOf(value);
  if (type === "boolean") return TRUTH[value.toLowerCase()] ?? value;
  return value.trim() !== "" && Number.isFinite(Number(value)) ? Number(value) : value;
}

function listOf(text: string): readonly string[] {
  return text
    .split("|")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/** Finds values that only one athlete may have: a name, an account, a token, an archive. */
async function findDoubles(athletes: readonly Athlete[], problems: Problem[]): Promise<void> {
  const seen = new Map<string, Athlete>();
  const claim = (athlete: Athlete, field: string, value: string, shown: string) => {
    const mark = `${field}\u0000${value}`;
    const first = seen.get(mark);
    if (first === undefined) seen.set(mark, athlete);
    else problems.push({ line: athlete.line, field, message: `${shown} is in line ${first.line} already` });
  };
  for (const athlete of athletes) {
    const { name, expects, token, archives } = athlete;
    const service = athlete.options.url ?? "";
    claim(athlete, "athlete", foldedName(name), JSON.stringify(name));
    if (expects.screenName !== undefined)
      claim(athlete, "screen-name", `${service} ${foldedName(expects.screenName)}`, JSON.stringify(expects.screenName));
    if (expects.email !== undefined)
      claim(athlete, "email", `${service} ${foldedName(expects.email)}`, JSON.stringify(expects.email));
    claim(athlete, token.from, `${token.is}`, `this ${token.from.replace("-", " ")}`);
    for (const path of archives)
      claim(athlete, "archives", await realpath(path).catch(() => path), `the archive ${path}`);
  }
}

/**
 * The athletes with the given names, or all athletes without names.
 *
 * @throws UsageError for a name that isn't in the roster
 */
export function chosen(
  athletes: readonly Athlete[],
  flag: string,
  names: readonly string[] | undefined,
): readonly Athlete[] {
  if (names === undefined) return athletes;
  const wanted = names.flatMap((name) => (athletes.some((one) => isNamed(one, name)) ? [name] : name.split(",")));
  for (const name of wanted) {
    if (athletes.some((one) => isNamed(one, name))) continue;
    const known = athletes.map((one) => one.name);
    throw new UsageError(
      `Cannot use --${kebab(flag)} ${JSON.stringify(name.trim())}: no athlete of the roster is called so${didYouMean(name.trim(), known)}`,
    );
  }
  return athletes.filter((one) => isAmong(one, wanted));
}

/** Whether a flag names an athlete. Each flag gives one name, or several with commas. */
export function isAmong(athlete: Athlete, names: readonly string[] = []): boolean {
  return names.some((name) => isNamed(athlete, name) || name.split(",").some((part) => isNamed(athlete, part)));
}

function isNamed(athlete: Athlete, name: string): boolean {
  return foldedName(athlete.name) === foldedName(name);
}
