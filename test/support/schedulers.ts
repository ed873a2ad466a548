/**
 * Imitations of the programs that run schedules. `crontab` and `systemctl` are programs that keep what they are given in files. The readers of
 * crontabs and units share nothing with the code that wrote them. A command that is due is really run, with as small an environment as cron and
 * systemd give.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Ran } from "./rehearsal.ts";

/** A folder with the two programs, and the files they keep. */
export interface FakeSchedulers {
  /** For the PATH, with the system's own folders behind it. */
  readonly path: string;
  /** The crontab, byte for byte. */
  readonly crontab: string;
  /** Every start of `systemctl`, a line each. */
  readonly asked: string;
}

/** Makes them. `systemctl` says that it runs, or doesn't. */
export function fakeSchedulers(folder: string, isSystemdRunning: boolean): FakeSchedulers {
  const programs = join(folder, "programs");
  const [crontab, asked, enabled] = ["crontab.txt", "systemctl.log", "enabled"].map((name) => join(programs, name)) as [
    string,
    string,
    string,
  ];
  mkdirSync(enabled, { recursive: true });
  writeFileSync(asked, "");
  const program = (name: string, body: string) => {
    writeFileSync(join(programs, name), `#!/bin/sh\nhere='${programs.replaceAll("'", `'"'"'`)}'\n${body}`);
    chmodSync(join(programs, name), 0o755);
  };
  program(
    "crontab",
    `if [ "$1" = -l ]; then
  [ -f "$here/refuse" ] && { echo "You (somebody) are not allowed to use this program (crontab)" >&2; exit 1; }
  [ -f "$here/crontab.txt" ] || { echo "no crontab for somebody" >&2; exit 1; }
  exec cat "$here/crontab.txt"
fi
exec cat > "$here/crontab.txt"
`,
  );
  program(
    "systemctl",
    `echo "$*" >> "$here/systemctl.log"
shift
case "$1" in
  is-system-running) ${isSystemdRunning ? "echo running" : "echo offline; exit 1"} ;;
  enable) shift; for timer in "$@"; do : > "$here/enabled/$timer"; done ;;
  disable) shift; shift; for timer in "$@"; do rm -f "$here/enabled/$timer"; done ;;
  is-enabled) [ -f "$here/enabled/$3" ] ;;
esac
`,
  );
  return { path: `${programs}:/usr/bin:/bin`, crontab, asked };
}

/** A command that is run at a time. */
export interface Due {
  /** Program and words. */
  readonly words: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
}

/**
 * The commands that a crontab runs at a minute, as Debian's cron reads it.
 *
 * @param time `2026-06-01 02:30`, by the machine's clock
 */
export function dueInCrontab(crontab: string, time: string): Due[] {
  return crontab.split("\n").flatMap((line) => {
    if (line === "" || line.startsWith("#") || /^\w+ *=/.test(line)) return [];
    const [, minute = "", hour = "", day = "", month = "", weekday = "", command = ""] =
      /^(\S+) +(\S+) +(\S+) +(\S+) +(\S+) +(.*)$/.exec(line) ?? [];
    const at = new Date(`${time.replace(" ", "T")}:00Z`);
    const now = [at.getUTCMinutes(), at.getUTCHours(), at.getUTCDate(), at.getUTCMonth() + 1, at.getUTCDay()];
    const isNow = [minute, hour, day, month, weekday].every(
      (field, index) => field === "*" || Number(field) === now[index],
    );
    if (!isNow) return [];
    if (Buffer.byteLength(command) >= 1000) throw new Error("cron takes no command that long");
    // A bare % ends the command. \% is one.
    const [whole = ""] = command.split(/(?<!\\)%/);
    return [{ words: ["/bin/sh", "-c", whole.replaceAll("\\%", "%")], variables: {} }];
  });
}

/** The settings of a unit, in their order: `Service.ExecStart`. */
function settingsOf(text: string): [string, string][] {
  let section = "";
  return text.split("\n").flatMap((line): [string, string][] => {
    if (line.startsWith("[")) section = line.slice(1, -1);
    const [, key, value = ""] = /^([A-Za-z]+)=(.*)$/.exec(line) ?? [];
    return line.startsWith("#") || key === undefined ? [] : [[`${section}.${key}`, value]];
  });
}

/** Words as systemd splits them: in double quotes, with backslashes, and `%%` for one. */
function systemdWords(text: string): string[] {
  return [...text.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g)].map(([, quoted, bare = ""]) => {
    const word = (quoted ?? bare).replace(/\\(.)/g, "$1");
    if (/%(?!%)/.test(word.replaceAll("%%", ""))) throw new Error(`a specifier: ${word}`);
    return word.replaceAll("%%", "%");
  });
}

/** The timers of a folder of units, and the command of each. */
export function timersIn(
  folder: string,
): { readonly timer: string; readonly events: readonly string[]; readonly isPersistent: boolean; readonly due: Due }[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".timer"))
    .toSorted()
    .map((timer) => {
      const settings = settingsOf(readFileSync(join(folder, timer), "utf8"));
      const service = settingsOf(readFileSync(join(folder, timer.replace(/timer$/, "service")), "utf8"));
      const all = (from: [string, string][], key: string) =>
        from.filter(([name]) => name === key).map(([, value]) => value);
      const [program = "", ...words] = systemdWords(all(service, "Service.ExecStart")[0] ?? "");
      const variables = all(service, "Service.Environment")
        .flatMap(systemdWords)
        .map((pair) => pair.split(/=(.*)/s).slice(0, 2) as [string, string]);
      return {
        timer,
        events: all(settings, "Timer.OnCalendar"),
        isPersistent: all(settings, "Timer.Persistent")[0] === "true",
        // A variable begins with $. A doubled $ stands for itself.
        due: {
          words: [program, ...words.map((word) => word.replaceAll("$$", "$"))],
          variables: Object.fromEntries(variables),
        },
      };
    });
}

/** Runs a due command, with only the variables that cron and systemd set. */
export async function runDue(
  { words, variables }: Due,
  home: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const [program = "", ...rest] = words;
  const child = spawn(program, rest, {
    stdio: ["ignore", "pipe", "pipe"],
    cwd: existsSync(home) ? home : "/",
    env: { HOME: home, LOGNAME: "somebody", PATH: "/usr/bin:/bin", SHELL: "/bin/sh", ...variables, ...more },
  });
  let out = "";
  let err = "";
  child.stdout.on("data", (chunk) => (out += chunk));
  child.stderr.on("data", (chunk) => (err += chunk));
  const [code, signal] = await once(child, "close");
  return { code, signal, out, err };
}
