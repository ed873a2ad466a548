import { cpSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import { beforeEach, describe, expect, test } from "vitest";
import { errorOf } from "../../test/support/api.ts";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { inputs } from "../../test/support/tiers.ts";
import { checkRepository } from "./check.ts";
import type { Keys } from "./keys.ts";
import { storedRecord } from "./records.ts";
import { openRepository, type Repository } from "./repository.ts";
import type { Snapshot } from "./snapshot.ts";

const folder = temporaryFolder();
let root: string;

beforeEach(() => {
  root = join(folder, "repo");
});

const PASSPHRASE = "correct horse battery staple";
const typed = (passphrase: string): Keys => ({ passphrase: async () => passphrase });
/** With these settings, trying a passphrase takes far less than a second. */
const CREATE = { recipients: [], workFactor: 8 };
const BY_PASSPHRASE: Keys = { ...typed(PASSPHRASE), create: CREATE };

const RUN = storedRecord({ id: "w1", date: "2024-02-29", notes: "Zürich 東京" });
const REST = storedRecord({ id: "w2", date: "2024-02-28" });
const SHOE = storedRecord({ id: "s1", brandName: "Acme", retired: false });
const WHOLE = { part: 1, of: 1 };
// Each too long to stand in sealed bytes, or in names of random letters, by chance.
const WORDS = ["2024-02-2", "Zürich", "Acme", "brandName", "workouts", "annabella", "example.com"];

async function backUp(repository: Repository, time: string, runs = [RUN]): Promise<Snapshot> {
  await repository.prepareToWrite();
  const pieces = [
    ...(await repository.writeChunks("equipment", "all", [SHOE])).pieces,
    ...(await repository.writeChunks("workout", "2024-02", runs)).pieces,
  ];
  return repository.writeSnapshot({
    format: "logferry-snapshot",
    version: 1,
    time,
    day: time.slice(0, 10),
    logferry: "0.1.0",
    log: { host: "example.com", userHash: "0", name: "annabella" },
    pass: "full",
    fullAt: time,
    unread: [],
    pieces,
  });
}

const FIRST = "2024-03-01T01:00:00.000Z";
const SECOND = "2024-03-02T01:00:00.000Z";

async function check(keys: Keys | undefined, share = WHOLE) {
  return checkRepository(await openRepository(root, keys), share, new AbortController().signal);
}

/** Every file of the repository, below it. */
function files(): string[] {
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((name) => statSync(join(root, name)).isFile())
    .toSorted();
}

describe("an encrypted repository", () => {
  test("is read with its passphrase as it was written, and no file or name in it tells anything of the log", async () => {
    const snapshot = await backUp(await openRepository(root, BY_PASSPHRASE), FIRST);
    const again = await openRepository(root, typed(PASSPHRASE));
    expect(again).toMatchObject({ isThere: true, isEncrypted: true, isOpen: true });
    expect(await again.readSnapshots()).toEqual({ snapshots: [snapshot], damaged: [] });
    expect(await again.readChunk(snapshot.pieces[1] as never)).toEqual([RUN]);
    expect(await check(typed(PASSPHRASE))).toMatchObject({ damaged: [], unused: [], records: 2, opened: true });
    for (const name of files()) {
      const text = name + readFileSync(join(root, name), "utf8");
      if (name !== "README.txt") for (const word of WORDS) expect(text, name).not.toContain(word);
      expect(text, name).not.toContain(PASSPHRASE);
      expect(text, name).not.toContain("AGE-SECRET-KEY");
    }
  });

  test("is opened by each of the age keys it was made for, and by no other", async () => {
    const [mine, hers, other] = [
      await generateX25519Identity(),
      await generateX25519Identity(),
      await generateX25519Identity(),
    ] as const;
    const create = { recipients: [await identityToRecipient(hers)] };
    await backUp(await openRepository(root, { identities: [mine], create }), FIRST);
    for (const identity of [mine, hers]) {
      expect(await check({ identities: [other, identity] })).toMatchObject({ damaged: [], records: 2 });
    }
    const error = await errorOf(openRepository(root, { identities: [other] }));
    expect(error).toMatchObject({ code: "repository/wrong-key" });
    expect(error.message).toBe(`Cannot open ${root}: none of the age keys given opens it`);
  });

  test("stores the same records once, over nights and over edits that are taken back", async () => {
    const one = await backUp(await openRepository(root, BY_PASSPHRASE), FIRST);
    const two = await backUp(await openRepository(root, BY_PASSPHRASE), SECOND, [RUN, REST]);
    const three = await backUp(await openRepository(root, BY_PASSPHRASE), "2024-03-03T01:00:00.000Z");
    expect(three.pieces).toEqual(one.pieces);
    expect(files().filter((name) => name.startsWith("data"))).toHaveLength(3);
    const repository = await openRepository(root, typed(PASSPHRASE));
    expect(await repository.removeSnapshots([two], [one, three])).toBe(1);
    expect(await check(typed(PASSPHRASE))).toMatchObject({ damaged: [], unused: [], snapshots: 2 });
  });

  test("that lost a chunk is whole again in all its snapshots when the log still holds it", async () => {
    await backUp(await openRepository(root, BY_PASSPHRASE), FIRST);
    const [name = ""] = files().filter((file) => file.startsWith("data"));
    flip(name, 300);
    expect((await check(typed(PASSPHRASE))).damaged).toEqual([{ file: name, found: "differs from its checksum" }]);
    await backUp(await openRepository(root, BY_PASSPHRASE), SECOND);
    expect(await check(typed(PASSPHRASE))).toMatchObject({ damaged: [], unused: [], snapshots: 2, pieces: 2 });
  });
});

function flip(name: string, index: number, bit = 0): void {
  const bytes = readFileSync(join(root, name));
  bytes[index % bytes.length] = (bytes[index % bytes.length] ?? 0) ^ (1 << bit);
  writeFileSync(join(root, name), bytes);
}

describe("a flipped bit", () => {
  test("anywhere in an encrypted repository is found, and its file named, with the key and without", async () => {
    const identity = await generateX25519Identity();
    await backUp(await openRepository(root, { identities: [identity], create: CREATE }), FIRST);
    const keys = { identities: [identity] };
    let flipped = 0;
    for (const name of files()) {
      const whole = readFileSync(join(root, name));
      // The test flips one bit in more bytes of the marker, because every part of it has a meaning. Each time it takes the next bit.
      const step = name === "repository.json" ? inputs({ first: 9, long: 3 }) : inputs({ first: 621, long: 23 });
      for (let index = 0; index < whole.length; index += step) {
        flip(name, index, index % 8);
        for (const having of [keys, undefined]) {
          const { damaged } = await check(having);
          if (!damaged.some(({ file }) => file === name)) {
            expect.unreachable(`byte ${index} of ${name}, ${having === undefined ? "without" : "with"} the key`);
          }
        }
        writeFileSync(join(root, name), whole);
        flipped++;
      }
    }
    expect(flipped).toBeGreaterThan(inputs({ first: 10, long: 200 }));
    expect((await check(keys)).damaged).toEqual([]);
    expect((await check(undefined)).damaged).toEqual([]);
  });

  test("in the key leaves its copy, with which the next backup writes it anew", async () => {
    await backUp(await openRepository(root, BY_PASSPHRASE), FIRST);
    const whole = readFileSync(join(root, "key.age"));
    // The kind of lock, its work factor, its salt, the key itself, and the end.
    for (const index of [0, 27, 40, 60, 150, 200, whole.length - 1]) {
      flip("key.age", index);
      expect((await check(typed(PASSPHRASE))).damaged).toEqual([
        { file: "key.age", found: "is not as it was written" },
      ]);
    }
    await backUp(await openRepository(root, typed(PASSPHRASE)), SECOND);
    expect(readFileSync(join(root, "key.age"))).toEqual(whole);
    expect((await check(typed(PASSPHRASE))).damaged).toEqual([]);
  });
});

describe("what doesn't open it is told in one message:", () => {
  beforeEach(async () => void (await backUp(await openRepository(root, BY_PASSPHRASE), FIRST)));

  test.each([
    ["a wrong passphrase", typed("wrong"), "repository/wrong-key", "this is not its passphrase"],
    ["no passphrase", {}, "repository/needs-key", "it is opened with a passphrase, and none was given"],
  ] as const)("%s", async (_what, keys, code, found) => {
    const error = await errorOf(openRepository(root, keys));
    expect(error).toMatchObject({ code, message: `Cannot open ${root}: ${found}` });
  });

  test("no key at all: what it holds is read by nothing", async () => {
    const closed = await openRepository(root);
    expect(closed).toMatchObject({ isThere: true, isEncrypted: true, isOpen: false });
    const message = `Cannot open ${root}: it is encrypted, and its key was not given`;
    expect(await errorOf(closed.readSnapshots())).toMatchObject({ code: "repository/needs-key", message });
    expect(await errorOf(backUp(closed, SECOND))).toMatchObject({ code: "repository/needs-key", message });
  });

  test("a key that is lost, or damaged with its copy", async () => {
    flip("key.age", 170);
    rmSync(join(root, "key-copy.age"));
    const error = await errorOf(openRepository(root, typed(PASSPHRASE)));
    expect(error.code).toBe("repository/key-damaged");
    expect(error.message).toMatch(
      /key\.age and key-copy\.age are damaged or gone\. If you kept a copy of key\.age, put it there/,
    );
    expect((await check(undefined)).damaged).toEqual([
      { file: "key-copy.age", found: "is missing" },
      { file: "key.age", found: "is not as it was written" },
    ]);
  });

  test("the key of another repository", async () => {
    const here = root;
    root = join(folder, "other");
    await backUp(await openRepository(root, BY_PASSPHRASE), FIRST);
    for (const name of ["key.age", "key-copy.age"]) cpSync(join(root, name), join(here, name));
    root = here;
    const error = await errorOf(openRepository(root, typed(PASSPHRASE)));
    expect(error.message).toBe(`Cannot open ${root}: key.age is the key of another repository`);
  });

  test("a marker that is gone: the repository is still an encrypted one, and the next backup marks it", async () => {
    const whole = readFileSync(join(root, "repository.json"));
    rmSync(join(root, "repository.json"));
    expect(await errorOf(openRepository(root, typed("wrong")))).toMatchObject({ code: "repository/wrong-key" });
    expect((await check(typed(PASSPHRASE))).damaged).toEqual([{ file: "repository.json", found: "is missing" }]);
    await backUp(await openRepository(root, typed(PASSPHRASE)), SECOND);
    expect(readFileSync(join(root, "repository.json"))).toEqual(whole);
  });
});

describe("what doesn't belong there is named by check, with the key and without:", () => {
  beforeEach(async () => void (await backUp(await openRepository(root, BY_PASSPHRASE), FIRST)));
  const PLAIN_TEXT = "lies in plain text in an encrypted repository";

  test("a snapshot and a chunk in plain text", async () => {
    const here = root;
    root = join(folder, "plain");
    const { file } = await backUp(await openRepository(root), SECOND);
    const chunk = files().find((name) => name.startsWith("data/")) ?? "";
    cpSync(join(root, "data"), join(here, "data"), { recursive: true });
    cpSync(join(root, file), join(here, file));
    root = here;
    for (const keys of [typed(PASSPHRASE), undefined]) {
      const { damaged } = await check(keys);
      expect(damaged).toContainEqual({ file, found: PLAIN_TEXT });
      expect(damaged).toContainEqual({ file: chunk, found: PLAIN_TEXT });
    }
    const { snapshots } = await (await openRepository(root, typed(PASSPHRASE))).readSnapshots();
    expect(snapshots.map(({ time }) => time)).toEqual([FIRST]);
  });

  test("a snapshot of another encrypted repository, and one that somebody made who knows the recipient", async () => {
    const here = root;
    root = join(folder, "other");
    const { file } = await backUp(await openRepository(root, BY_PASSPHRASE), SECOND);
    cpSync(join(root, file), join(here, file));
    root = here;
    expect((await check(typed(PASSPHRASE))).damaged).toEqual([
      { file, found: "is not encrypted with the key of this repository" },
    ]);
    rmSync(join(root, file));
    const { Encrypter } = await import("age-encryption");
    const { createHash } = await import("node:crypto");
    const forger = new Encrypter();
    forger.addRecipient(JSON.parse(readFileSync(join(root, "repository.json"), "utf8")).recipient);
    const bytes = await forger.encrypt('{"format":"logferry-snapshot"}');
    const sum = createHash("sha256").update(bytes).digest("hex");
    const forged = `snapshots/2024-03-02T010000.000Z-${"0".repeat(32)}-${sum}.json.age`;
    writeFileSync(join(root, forged), bytes);
    expect((await check(typed(PASSPHRASE))).damaged).toEqual([
      { file: forged, found: "was not written with the key of this repository" },
    ]);
  });

  test("a chunk under the name of another", async () => {
    const [one = "", two = ""] = files().filter((name) => name.startsWith("data/"));
    renameSync(join(root, one), join(root, `${two.slice(0, 44)}${one.slice(44)}`));
    const { damaged } = await check(typed(PASSPHRASE));
    expect(damaged).toEqual([{ file: one.slice(0, 44), found: "is missing" }]);
  });
});
