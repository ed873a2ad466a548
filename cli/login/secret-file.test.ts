import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { emptyHome, runCli } from "../../test/support/cli.ts";
import { type Rehearsal, rehearse } from "../../test/support/rehearsal.ts";

let log: Rehearsal;
beforeAll(async () => {
  log = await rehearse();
});
afterAll(() => log.close());

/** A token file in a folder, with these modes; chmod sets them whatever the mask of the process is. */
function tokenFile(home: string, fileMode: string, folderMode: string): string {
  const folder = join(home, "secrets");
  mkdirSync(folder);
  const path = join(folder, "it's token.txt");
  writeFileSync(path, `${log.token}\n`);
  chmodSync(path, fileMode);
  chmodSync(folder, folderMode);
  return path;
}

const whoami = (home: string, file: string) => runCli(home, ["whoami", "--url", log.service.url, "--token-file", file]);

test.each([
  ["600", "700"],
  ["400", "755"],
  // Like /tmp: only its owner can replace a file.
  ["600", "1777"],
])("a token file of mode %s in a folder of mode %s is used", async (fileMode, folderMode) => {
  using home = emptyHome();
  expect(await whoami(home.path, tokenFile(home.path, fileMode, folderMode))).toMatchObject({ code: 0, err: "" });
});

test.each([
  ["644", "700", "others can read it. Run: chmod 600"],
  ["640", "700", "others can read it. Run: chmod 600"],
  ["622", "700", "others can change it. Run: chmod 600"],
  ["600", "777", "everybody can put another file in its place. Run: chmod go-w"],
])(
  "a token file of mode %s in a folder of mode %s is refused, with the command that mends it",
  async (fileMode, folderMode, says) => {
    using home = emptyHome();
    const file = tokenFile(home.path, fileMode, folderMode);
    const { code, err } = await whoami(home.path, file);
    expect(code).toBe(2);
    expect(err).toContain(`Cannot use ${file}: ${says} `);
    expect(err).toContain(`/secrets`);
    expect(err).not.toContain(log.token);
  },
);

test("nobody else can read the lock files, the journal and the folders that a run leaves", async () => {
  using home = emptyHome();
  const { code } = await runCli(
    home.path,
    ["plan", join(import.meta.dirname, "../..", "fixtures", "csv", "us", "archive")],
    {
      env: { LOGFERRY_URL: log.service.url, LOGFERRY_TOKEN: log.token },
    },
  );
  expect(code).toBeLessThan(4);
  const root = join(home.path, ".local", "share", "logferry");
  const left = readdirSync(root, { recursive: true }).map((name) => join(root, String(name)));
  expect(left.some((path) => path.endsWith(".lock"))).toBe(true);
  const open = left.filter((path) => statSync(path).isFile() && (statSync(path).mode & 0o077) !== 0);
  expect(open).toEqual([]);
  expect(statSync(root).mode & 0o077).toBe(0);
});
