import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect } from "vitest";
import { emptyHome } from "../../test/support/cli.ts";
import { fakePrograms } from "../../test/support/fake-programs.ts";
import { rowTest, test } from "../../test/support/tier-tests.ts";
import { firstOf } from "../../test/support/tiers.ts";
import { KeyringError, keyringHere } from "./keyring.ts";

const SECRET = 's3cret"$(x)\\`';

/** Linux with a desktop's bus, and macOS: the same promises through either tool. */
const SYSTEMS = [
  ["secret-tool", "linux", { DBUS_SESSION_BUS_ADDRESS: "unix:path=/nowhere" }],
  ["security", "darwin", {}],
] as const;

test.each(SYSTEMS)("%s on %s keeps a secret, gives it back, and forgets it", async (name, platform, variables) => {
  using home = emptyHome();
  const programs = fakePrograms(home.path);
  const keyring = await keyringHere({ PATH: programs.path, ...variables }, platform);
  expect(keyring?.name).toBe(name);
  await keyring?.put("entry-1", 'logferry: Ana "A" at https://log.example', SECRET);
  expect(programs.kept()).toEqual({ "entry-1": SECRET });
  expect(await keyring?.get("entry-1")).toBe(SECRET);
  expect(await keyring?.get("entry-2")).toBeUndefined();
  await keyring?.remove("entry-1");
  expect(programs.kept()).toEqual({});
  // Already gone is gone.
  await keyring?.remove("entry-1");
});

rowTest.each(firstOf(1, SYSTEMS))(
  "S4 %s gets the secret on its input: it is in no word and no variable",
  async (_name, platform, more) => {
    using home = emptyHome();
    const programs = fakePrograms(home.path);
    const environment = { PATH: programs.path, LOGFERRY_TOKEN: SECRET, LOGFERRY_CLIENT_SECRET: SECRET, ...more };
    const keyring = await keyringHere(environment, platform);
    await keyring?.put("entry-1", "logferry", SECRET);
    await keyring?.get("entry-1");
    await keyring?.remove("entry-1");
    const started = programs.started();
    expect(started.length).toBeGreaterThanOrEqual(3);
    const hex = Buffer.from(SECRET).toString("hex");
    for (const { words, variables, values } of started) {
      const seen = [...words, values].join("\n");
      expect(seen).not.toContain(SECRET);
      expect(seen).not.toContain(hex);
      expect(variables).not.toContain("LOGFERRY_TOKEN");
      expect(variables).not.toContain("LOGFERRY_CLIENT_SECRET");
    }
  },
);

rowTest.each(firstOf(1, SYSTEMS))(
  "%s that refuses, or that only says it kept it, is an error without the secret",
  async (name, platform, more) => {
    using home = emptyHome();
    const programs = fakePrograms(home.path);
    const keyring = await keyringHere({ PATH: programs.path, ...more }, platform);
    for (const how of ["refuse", "forget"] as const) {
      programs.behave(how);
      const error = await keyring?.put("entry-1", "logferry", SECRET).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(KeyringError);
      expect((error as Error).message).toMatch(
        new RegExp(`^the system keyring \\(${name}\\) (refused|didn't keep it)`),
      );
      expect((error as Error).message).not.toContain(SECRET);
    }
  },
);

test("S3 there is no keyring without its tool, without a bus, or on another system", async () => {
  using home = emptyHome();
  const { path } = fakePrograms(home.path);
  const bus = { DBUS_SESSION_BUS_ADDRESS: "unix:path=/nowhere" };
  expect(await keyringHere({ PATH: join(home.path, "empty"), ...bus }, "linux")).toBeUndefined();
  expect(await keyringHere({ ...bus }, "linux")).toBeUndefined();
  expect(await keyringHere({ PATH: path }, "linux")).toBeUndefined();
  expect(await keyringHere({ PATH: path, DBUS_SESSION_BUS_ADDRESS: "" }, "linux")).toBeUndefined();
  expect(await keyringHere({ PATH: path, ...bus }, "win32")).toBeUndefined();
  expect((await keyringHere({ PATH: path, ...bus }, "linux"))?.name).toBe("secret-tool");
});

test("a tool that isn't there any more is an error at once, and keeps nobody waiting", async () => {
  using home = emptyHome();
  const module = join(import.meta.dirname, "keyring.ts");
  // A process of its own: it must be able to end.
  const script = `const { keyringNamed } = await import(${JSON.stringify(module)});
    await keyringNamed("secret-tool", { PATH: "/nowhere" }).get("entry").catch((error) => console.log(error.message));`;
  const out = execFileSync(process.execPath, ["--input-type=module", "-e", script], {
    cwd: home.path,
    encoding: "utf8",
    // Half of what a keyring may take.
    timeout: 60_000,
  });
  expect(out).toBe("the system keyring (secret-tool) can't be asked: there is no such file or folder\n");
});
