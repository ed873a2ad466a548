/** The promises of `Lockout`, tested with each database. Two processes on one database count as one. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { Lockout, OF_AN_ACCOUNT, OF_AN_ADDRESS } from "../../sign-in/lockout.ts";
import type { Database } from "../../store/database.ts";
import { MistakeStore } from "../../store/mistakes.ts";
import { openDatabase } from "../../store/open.ts";
import type { NewDatabase } from "../stores.ts";

const A_DAY = 86_400_000;

export function lockoutLaws(newDatabase: NewDatabase): void {
  let databases: readonly [Database, Database];
  /** A lockout in each of two processes. A file is served by one process alone. */
  let here: Lockout;
  let there: Lockout;
  let time = 1_700_000_000_000;
  let made = 0;
  let account: { readonly key: string; readonly patience: typeof OF_AN_ACCOUNT };
  let address: typeof account;

  beforeAll(async () => {
    const place = await newDatabase();
    const one = await openDatabase(place);
    databases = [one, place.startsWith("postgres:") ? await openDatabase(place) : one];
    [here, there] = databases.map((database) => new Lockout(new MistakeStore(database), () => time)) as [
      Lockout,
      Lockout,
    ];
  });
  beforeEach(() => {
    made++;
    account = { key: `ann ${made}`, patience: OF_AN_ACCOUNT };
    address = { key: `address ${made}`, patience: OF_AN_ADDRESS };
  });
  afterAll(async () => {
    for (const database of databases) await database.close();
  });

  test("mistakes in one process are waited for in the other, and the wait doubles whoever counts", async () => {
    for (const lockout of [here, there, here, there, here]) expect(await lockout.attempt([account, address])).toBe(0);
    for (const lockout of [here, there]) expect(await lockout.waitMs(account.key)).toBe(1000);
    for (const lockout of [here, there]) expect(await lockout.attempt([account, address])).toBe(1000);
    time += 1000;
    expect(await there.attempt([account, address])).toBe(0);
    expect(await here.waitMs(account.key)).toBe(2000);
    expect(await here.waitMs(address.key)).toBe(0);
  });

  test("tries side by side in both processes are counted like tries in a row", async () => {
    const tries = Array.from({ length: 30 }, (_, index) =>
      index % 2 === 0 ? here.attempt([account, address]) : there.attempt([account, address]),
    );
    expect((await Promise.all(tries)).filter((waitMs) => waitMs === 0)).toHaveLength(5);
  });

  test("a success in one process forgives in the other, and takes back one mistake of the address", async () => {
    for (let number = 0; number < 5; number++) await here.attempt([account, address]);
    await there.forgive(account.key);
    expect(await here.waitMs(account.key)).toBe(0);
    for (let number = 5; number < 49; number++) await there.count(address);
    await there.takeBack(address.key);
    await here.count(address);
    expect(await here.waitMs(address.key)).toBe(0);
    await here.count(address);
    expect(await there.waitMs(address.key)).toBe(1000);
  });

  test("after a day without a mistake a key starts anew, and nothing of it is kept", async () => {
    for (let number = 0; number < 4; number++) await here.count(account);
    time += A_DAY + 1;
    await there.count({ key: `another ${made}`, patience: OF_AN_ADDRESS });
    await here.count(account);
    expect(await here.waitMs(account.key)).toBe(0);
    const [database] = databases;
    expect(await database.get("SELECT COUNT(*) AS total FROM mistakes")).toEqual({ total: 2 });
  });

  test("no more keys are kept than there may be: the quietest is forgotten", async () => {
    const [database] = databases;
    await database.run("DELETE FROM mistakes");
    const few = new Lockout(new MistakeStore(database, 3), () => time);
    const keys = ["a", "b", "c", "d"].map((name) => `${name} ${made}`);
    for (const key of keys) {
      time += 60_000;
      await few.count({ key, patience: OF_AN_ADDRESS });
    }
    time += 60_000;
    await few.count({ key: keys[3] as string, patience: OF_AN_ADDRESS });
    expect(await database.get("SELECT COUNT(*) AS total FROM mistakes")).toEqual({ total: 3 });
    expect(await database.get("SELECT MIN(last_at) AS first FROM mistakes")).toEqual({ first: time - 180_000 });
  });

  test("no key is kept in clear text: a login that was typed may be a password", async () => {
    await here.count({ key: "my password", patience: OF_AN_ACCOUNT });
    const [database] = databases;
    const rows = await database.all("SELECT * FROM mistakes");
    expect(JSON.stringify(rows)).not.toContain("my password");
    expect(rows.some(({ guesser }) => /^[0-9a-f]{64}$/.test(String(guesser)))).toBe(true);
  });
}
