/**
 * The certificate of a run as a person gets it: it answers whether the old account can be closed, names what was taken out by hand, and finds a
 * changed value in the log, in a backup and in itself.
 */
import { createHash, createPublicKey, generateKeyPairSync, sign, verify } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect } from "vitest";
import { SCREENS, violationsOf } from "../service/test/browser.ts";
import { shareBrowser } from "../service/test/shared-browser.ts";
import { jsonOf, openWorld } from "./matrix/world.ts";
import { certified, countsOf, edit, pathOf, told } from "./support/certified.ts";
import { deleteWorkout } from "./support/delete-workout.ts";
import { ROOT } from "./support/rehearsal.ts";
import { someRuns, writeSheet } from "./support/small-sources.ts";
import { longTest, test } from "./support/tier-tests.ts";

test("every record is in one class, and the old account can be closed up to the day of the newest file", async () => {
  await using world = await openWorld({ runs: someRuns(6) });
  utimesSync(world.sheet, new Date("2020-03-01T12:00:00Z"), new Date("2020-03-01T12:00:00Z"));
  expect((await world.import()).code).toBe(0);
  const { ran, read } = await certified(world);
  expect(ran.code, told(ran)).toBe(0);
  expect(ran.out).toContain(
    "Can the old account be closed? Yes, up to what these sources held on 2020-03-01, whose newest workout is of 2020-01-06.",
  );
  expect(countsOf(read)).toEqual({ created: 6 });
  expect(read.inventory).toMatchObject({ records: 6, isBeforeFirstWrite: true });
  expect(read.records).toHaveLength(6);
  expect(read.levels.map(({ level, isReached }) => [level, isReached])).toEqual([
    ["listed", true],
    ["read again", true],
    ["compared", true],
    ["restored", undefined],
  ]);
  // Of the two files, nobody but their owner can read any. The signature covers everything before it, by any other implementation.
  for (const path of [pathOf(world), pathOf(world).replace(".json", ".html")])
    expect(statSync(path).mode & 0o777).toBe(0o600);
  const text = readFileSync(pathOf(world), "utf8");
  const digest = createHash("sha256")
    .update(text.slice(0, text.indexOf('  "signature": ')))
    .digest();
  const key = createPublicKey({ key: Buffer.from(read.signature.publicKey, "base64"), format: "der", type: "spki" });
  expect(digest.toString("hex")).toBe(read.signature.sha256);
  expect(verify(null, digest, key, Buffer.from(read.signature.value, "base64"))).toBe(true);
  expect(text + readFileSync(pathOf(world).replace(".json", ".html"), "utf8")).not.toContain(world.token);
  const held = await world.run(["certify", "--check", pathOf(world)]);
  expect(held.code, told(held)).toBe(0);
  expect(held.out).toContain("All 6 records are in the log as the certificate says.");
});

test("a record that was taken out by hand is named, on the certificate and by a check of an older one", async () => {
  await using world = await openWorld({ runs: someRuns(5), databaseFile: true });
  expect((await world.import()).code).toBe(0);
  const before = (await certified(world)).read;
  const out = before.records.find(({ origin }) => origin.locator === "line 4");
  deleteWorkout(join(world.folder, "service.db"), out?.logId ?? "");

  const held = await world.run(["certify", "--check", pathOf(world), "--json"]);
  expect(held.code, told(held)).toBe(7);
  const named = jsonOf(held.out).filter(({ type }) => type === "difference");
  expect(named).toMatchObject([{ found: "missing", logId: out?.logId, origin: { locator: "line 4" } }]);

  const { ran, read } = await certified(world);
  expect(ran.code, told(ran)).toBe(7);
  expect(countsOf(read)).toEqual({ created: 4, missing: 1 });
  expect(read.verdict.canClose).toBe(false);
  expect(read.records.find((record) => record.class === "missing")?.origin.locator).toBe("line 4");
  expect(readFileSync(pathOf(world).replace(".json", ".html"), "utf8")).toMatch(/line 4 .*missing/);
});

test("a record that a retry brought in is in the class of its own, and one that was dropped too", async () => {
  await using world = await openWorld({ runs: someRuns(3) });
  writeFileSync(
    world.sheet,
    readFileSync(world.sheet, "utf8").replace("2020-01-01,", "2020-13-01,").replace("2020-01-02,", "2020-14-02,"),
  );
  expect((await world.import()).code).toBe(3);
  const before = await certified(world);
  expect(before.ran.code, told(before.ran)).toBe(3);
  expect(countsOf(before.read)).toEqual({ created: 1, rejected: 2 });
  await world.run(["quarantine", "retry"]);
  const again = await certified(world);
  expect([again.ran.code, countsOf(again.read)]).toEqual([3, { created: 1, rejected: 2 }]);
  const [one, other] = before.read.records.filter((record) => record.class === "rejected").map(({ id }) => id);
  const fixed = await world.run(["quarantine", "fix", one ?? "", "--set", "date=2020-01-01"]);
  expect(fixed.code, told(fixed)).toBe(0);
  const dropped = await world.run(["quarantine", "drop", other ?? ""]);
  expect(dropped.code, told(dropped)).toBe(0);
  const retried = await world.run(["quarantine", "retry", one ?? ""]);
  expect(retried.code, told(retried)).toBe(0);
  const { ran, read } = await certified(world);
  expect(countsOf(read), told(ran)).toEqual({ created: 1, later: 1, dropped: 1 });
  expect(ran.code, told(ran)).toBe(0);
  const later = read.records.find((record) => record.class === "later");
  expect(later).toMatchObject({
    logId: expect.stringMatching(/./),
    kind: "workout",
  });
});

test("a person's own rule is fixed in the plan, and the certificate answers by it and shows it with its hash", async () => {
  await using world = await openWorld({ runs: someRuns(4) });
  writeFileSync(world.sheet, readFileSync(world.sheet, "utf8").replace("2020-01-01,", "2020-13-01,"));
  const misspelt = await world.import({ flags: ["--accept", "rejcted=1"] });
  expect(misspelt.code, told(misspelt)).toBe(2);
  expect(told(misspelt)).toContain("expected rejected=N or N%");
  const spam = await world.import({ flags: ["--accept", "losses=spam"] });
  expect(spam.code, told(spam)).toBe(2);
  expect(told(spam)).toMatch(
    /no value that stays out is called .{1,3}spam.*--accept takes: rejected=N or N%, refused=/,
  );
  expect(told(await world.run(["apply"]))).toContain("There is no plan");
  const imported = await world.import({ flags: ["--accept", "rejected=25%", "--accept", "dates"] });
  expect(imported.code, told(imported)).toBe(3);
  const sha256 = createHash("sha256").update("acceptance 6\nrejected=25%\ndates\n").digest("hex");
  const { ran, read } = await certified(world);
  expect(ran.code, told(ran)).toBe(0);
  expect(countsOf(read)).toEqual({ created: 3, rejected: 1 });
  expect(read.acceptance).toMatchObject({
    isOfPlan: true,
    conditions: ["rejected=25%", "dates"],
    hash: sha256,
    earlier: [],
  });
  expect(ran.out).toContain(`Your rule: rejected=25%, dates. Its hash: ${sha256.slice(0, 16)}.`);
  expect(ran.out).toMatch(/Can the old account be closed\? Yes/);
  const page = readFileSync(pathOf(world).replace(".json", ".html"), "utf8");
  expect(page).toContain("At most 25% of the records may stay rejected.");
  expect(page).toContain("Your own rule accepts: 1 record was rejected.");
  expect(page).toContain("Records that are not in the log, as your rule accepts");
});

test("the page says of each value that closing the account loses why it is not in the log", async () => {
  await using world = await openWorld({ runs: [] });
  const log = join(world.folder, "log-1-2020-01-01-2020-01-31.csv");
  const header =
    "date,hour,activity,workout,keywords,time,i0,i1,i2,i3,i4,i5,distance(km),climb(m),intensity,t-intensity,ahr,mhr,controls,spiked,rhr,sleep,weight(kg),injured,sick,restday,shoes,route,description,private note";
  const rows = ["2020-01-02,7,Running,,,00:30:00,,,,,,,5,41,3", "2020-01-03,7,Running,,,00:31:00,,,,,,,5,,,,400"];
  writeFileSync(log, [header, ...rows.map((row) => row + ",".repeat(29 - row.split(",").length + 1)), ""].join("\n"));
  const imported = await world.import({ sources: [log] });
  expect(imported.code, told(imported)).toBe(0);
  await certified(world);
  const page = readFileSync(pathOf(world).replace(".json", ".html"), "utf8").replaceAll(/<[^>]*>/g, "");
  expect(page).toMatch(/2 values left out: the log has no field for them\.\s+elevation gain 1intensity 1/);
  expect(page).toMatch(/1 value left out: it can&#39;t be true\.\s+avgHR 1/);
});

longTest(
  "a stricter rule asks for a restored backup, and one that was changed after the first write is named",
  async () => {
    await using world = await openWorld({ runs: someRuns(3) });
    expect((await world.import()).code).toBe(0);
    expect((await world.import({ flags: ["--accept", "level=restored"] })).code).toBe(0);
    const { ran, read } = await certified(world);
    expect(ran.code, told(ran)).toBe(3);
    expect(ran.out).toContain('Not yet: your rule asks for the level "restored", and it was not reached.');
    expect(told(ran)).toMatch(/This rule is not the first one: run 1 of \S+ sent records of these sources by another/);
    expect(read.acceptance.earlier).toMatchObject([{ run: 1, conditions: [] }]);
    expect(readFileSync(pathOf(world).replace(".json", ".html"), "utf8")).toMatch(
      /This rule is not the first one\..* Run 1 of .* sent records of these sources by logferry’s rule alone/,
    );
  },
);

longTest("a record that a retry brought in and somebody changed since is no yes", async () => {
  await using world = await openWorld({ runs: someRuns(2) });
  writeFileSync(world.sheet, readFileSync(world.sheet, "utf8").replace("2020-01-01,", "2020-13-01,"));
  expect((await world.import()).code).toBe(3);
  const [rejected] = (await certified(world)).read.records.filter((record) => record.class === "rejected");
  const id = rejected?.id ?? "";
  expect((await world.run(["quarantine", "fix", id, "--set", "date=2020-01-01"])).code).toBe(0);
  expect((await world.run(["quarantine", "retry", id])).code).toBe(0);
  const before = await certified(world);
  expect(countsOf(before.read), told(before.ran)).toEqual({ created: 1, later: 1 });
  const logId = before.read.records.find((record) => record.class === "later")?.logId ?? "";
  await edit(world, logId, { details: { distance: { value: 99, unit: "km" } } });
  const { ran, read } = await certified(world);
  expect(ran.code, told(ran)).toBe(7);
  expect(countsOf(read)).toEqual({ created: 1, differs: 1 });
  expect(ran.out).toContain("Not yet: 1 record is not in the log as planned.");
});

test("a workout that its owner edited is kept by the next import, and verify and certify say so", async () => {
  await using world = await openWorld({ runs: someRuns(3) });
  expect((await world.import()).code).toBe(0);
  const [first] = (await certified(world)).read.records;
  await edit(world, first?.logId ?? "", { details: { distance: { value: 9.9, unit: "km" } } });
  expect((await world.run(["verify"])).code).toBe(7);
  expect((await world.import()).code).toBe(0);
  const verified = await world.run(["verify"]);
  expect(verified.code, told(verified)).toBe(0);
  expect(verified.out).toMatch(/details\.distance is 9\.9 km, sent .*\. Edited in your log, and kept\./);
  const { ran, read } = await certified(world);
  expect(ran.code, told(ran)).toBe(0);
  expect(countsOf(read)).toEqual({ unchanged: 2, edited: 1 });
  expect(ran.out).toContain("1 edited: in the log, with values that were edited there and left so");
});

test("a certificate that somebody else signed anew is told from one's own", async () => {
  await using world = await openWorld({ runs: someRuns(1) });
  expect((await world.import()).code).toBe(0);
  await certified(world);
  const text = readFileSync(pathOf(world), "utf8");
  const at = text.indexOf('  "signature": ');
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const body = text.slice(0, at).replace(/"sentence": "[^"]*"/, '"sentence": "Yes, all of it."');
  const digest = createHash("sha256").update(body).digest();
  const signature = {
    algorithm: "Ed25519",
    publicKey: publicKey.export({ type: "spki", format: "der" }).toString("base64"),
    sha256: digest.toString("hex"),
    value: sign(null, digest, privateKey).toString("base64"),
  };
  writeFileSync(pathOf(world), `${body}  "signature": ${JSON.stringify(signature)}\n}\n`);
  const ran = await world.run(["certify", "--check", pathOf(world)]);
  expect(ran.code, told(ran)).toBe(3);
  expect(ran.err).toContain("It was signed with a key that this computer doesn't have");
});

longTest("a row that was mended in the sheet and imported again is as one that a later run brought in", async () => {
  await using world = await openWorld({ runs: someRuns(3) });
  const whole = readFileSync(world.sheet, "utf8");
  writeFileSync(world.sheet, whole.replace("2020-01-01,", "2020-13-01,"));
  expect((await world.import()).code).toBe(3);
  writeFileSync(world.sheet, whole);
  expect((await world.import()).code).toBe(0);
  const { ran, read } = await certified(world, ["--run", "1"]);
  expect(countsOf(read), told(ran)).toEqual({ created: 2, later: 1 });
});

test("a check finds one changed value in the log, in a backup and in the certificate, and names its field", async () => {
  await using world = await openWorld({ runs: someRuns(4) });
  expect((await world.import()).code).toBe(0);
  const { read } = await certified(world);
  const id = read.records[0]?.logId ?? "";
  const repository = join(world.folder, "backups");
  const backup = async () => expect((await world.run(["backup", "--repository", repository, "--full"])).code).toBe(0);
  await backup();
  const check = (words: readonly string[] = []) => world.run(["certify", "--check", pathOf(world), ...words]);
  const same = await check(["--repository", repository]);
  expect(same.code, told(same)).toBe(0);
  expect(same.out).toMatch(/All 4 records are in the backup of .* as the certificate says/);

  await edit(world, id, { notes: "typed by hand" });
  const inLog = await check();
  expect(inLog.code, told(inLog)).toBe(7);
  expect(inLog.err).toMatch(new RegExp(`workout ${id}\\): changed: notes`));
  await backup();
  const inBackup = await check(["--repository", repository]);
  expect(inBackup.code, told(inBackup)).toBe(7);
  expect(inBackup.err).toMatch(new RegExp(`workout ${id}\\): changed: notes`));

  const text = readFileSync(pathOf(world), "utf8");
  writeFileSync(pathOf(world), text.replace('"class":"created"', '"class":"merged"'));
  const inFile = await check();
  expect(inFile.code, told(inFile)).toBe(7);
  expect(inFile.out).toContain("was changed after it was issued");
  writeFileSync(pathOf(world), "{}");
  const none = await check();
  expect(none.code, told(none)).toBe(5);
  expect(none.err).toContain("is no certificate of logferry");
});

test("a file that came into the sources later or went away is named, and the answer names one that was edited", async () => {
  await using world = await openWorld({ runs: someRuns(3) });
  expect((await world.import()).code).toBe(0);
  const rows = readFileSync(world.sheet, "utf8");
  writeFileSync(world.sheet, rows.replace(/,5(?=[,.\n])/, ",6"));
  expect(readFileSync(world.sheet, "utf8")).not.toBe(rows);
  const changed = await certified(world);
  expect(changed.read.sinceThen.changed).toHaveLength(1);
  const [name] = changed.read.sinceThen.changed;
  const edited = `, but ${name} changed since: values that were edited there are not in the log.`;
  expect(changed.read.verdict.sentence).toMatch(/^Yes, as far as these sources go: [^.]*, but /);
  expect(changed.read.verdict.sentence).toContain(edited);
  expect(changed.ran.out).toContain(edited);
  rmSync(world.sheet);
  const { ran, read } = await certified(world);
  expect(read.sinceThen).toMatchObject({ unreadable: [{ why: expect.stringMatching(/./) }] });
  expect(ran.out).toContain("1 source can't be read any more (");
  expect(countsOf(read)).toEqual({ created: 3 });
  expect(ran.code, told(ran)).toBe(0);
});

longTest(
  "a table that changed between plan and apply is named by apply, and the certificate says no until it is planned again",
  async () => {
    await using world = await openWorld({ runs: someRuns(3) });
    expect((await world.import({ command: "plan" })).code).toBe(0);
    const planned = readFileSync(world.sheet, "utf8");
    writeFileSync(world.sheet, planned.replace(/\n[^\n]+\n$/, "\n"));
    const applied = await world.run(["apply", "--settle", "1"]);
    expect(applied.code, told(applied)).toBe(3);
    expect(applied.err).toContain(
      `${basename(world.sheet)}: changed since the plan, and what is new in it is not loaded.`,
    );
    expect(applied.out).toMatch(/Done, but the sources changed since the plan\..* Plan again: logferry plan /);
    const { ran, read } = await certified(world);
    expect(ran.code, told(ran)).toBe(3);
    expect(countsOf(read)).toEqual({ created: 3 });
    expect(ran.out).toContain(
      `Not yet: the sources changed between the plan and its load (changed since the plan: ${basename(world.sheet)}).`,
    );
    const page = readFileSync(pathOf(world).replace(".json", ".html"), "utf8");
    expect(page).toContain("Plan again: <code>logferry plan ");
    expect(page).not.toContain("every file is as in the inventory");

    expect((await world.import()).code).toBe(0);
    const again = await certified(world);
    expect(again.ran.code, told(again.ran)).toBe(0);
  },
);

longTest(
  "a source that was away when the first record was sent is said by apply, and the certificate has its files of the plan",
  async () => {
    await using world = await openWorld({ runs: someRuns(2) });
    expect((await world.import({ command: "plan" })).code).toBe(0);
    renameSync(world.sheet, `${world.sheet}.away`);
    const applied = await world.run(["apply", "--settle", "1"]);
    expect(applied.code, told(applied)).toBe(3);
    expect(applied.err).toMatch(/Whether .* changed since the plan is not known/);
    expect(applied.out).toMatch(/Done, but the sources changed since the plan\..* Plan again: logferry plan /);
    renameSync(`${world.sheet}.away`, world.sheet);
    const { ran, read } = await certified(world);
    expect(countsOf(read), told(ran)).toEqual({ created: 2 });
    expect(read.inventory.sources).toMatchObject([{ files: 2, unread: { count: 0 } }]);
    expect(read.sinceThen).toMatchObject({ added: [], changed: [], gone: [], unreadable: [] });
    expect(read.verdict.canClose).toBe(false);
    expect(ran.out).toContain(`Not yet: the sources changed between the plan and its load (went away since the plan: `);
    expect((await world.import()).code).toBe(0);
    expect((await certified(world)).read.verdict.canClose).toBe(true);
  },
);

longTest("a file beside two exports that belongs to neither is in the inventory", async () => {
  await using world = await openWorld({ runs: [] });
  const downloads = join(world.folder, "downloads");
  for (const name of ["concept2/two-seasons", "whoop/without-distance"])
    cpSync(join(ROOT, "fixtures", name, "archive"), join(downloads, basename(name)), { recursive: true });
  writeFileSync(join(downloads, "diary.xyz"), "12 km");
  const ran = await world.import({ sources: [downloads] });
  expect(ran.code, told(ran)).toBe(3);
  const { read } = await certified(world);
  expect(read.inventory.sources.map(({ files }) => files).toSorted()).toEqual([1, 3]);
  writeFileSync(join(downloads, "diary.xyz"), "13 km");
  expect((await certified(world)).read.sinceThen).toMatchObject({
    added: [],
    changed: [expect.stringMatching(/diary/)],
  });
});

test("a run that isn't finished has no certificate, and a file that is none of ours is not written over", async () => {
  await using world = await openWorld({ runs: someRuns(2) });
  const plan = await world.import({ command: "plan" });
  expect(plan.code, told(plan)).toBe(0);
  const early = await world.run(["certify", pathOf(world)]);
  expect(early.code).toBe(2);
  expect(early.err).toContain("Run 1 is not finished. Finish it first: logferry apply");
  expect((await world.import()).code).toBe(0);
  writeFileSync(pathOf(world), "my diary");
  const inTheWay = await world.run(["certify", pathOf(world)]);
  expect(inTheWay.code).toBe(2);
  expect(readFileSync(pathOf(world), "utf8")).toBe("my diary");
});

test("the page is read on a phone and at a desk: nothing serious by axe, no script, no request, no console message", async () => {
  await using world = await openWorld({ runs: [], databaseFile: true });
  const sheets = join(world.folder, "sheets");
  mkdirSync(sheets);
  writeSheet(sheets, someRuns(6));
  expect((await world.import({ sources: [sheets] })).code).toBe(0);
  const { read } = await certified(world);
  deleteWorkout(join(world.folder, "service.db"), read.records[0]?.logId ?? "");
  // A name without a place to break a line is no reason for a phone to scroll sideways.
  writeFileSync(join(sheets, `${"later".repeat(30)}.csv`), "");
  expect((await certified(world)).read.sinceThen.added).toHaveLength(1);
  const browser = await shareBrowser();
  try {
    for (const screen of Object.values(SCREENS)) {
      const context = await browser.newContext({ ...screen, bypassCSP: true });
      const page = await context.newPage();
      const [said, asked]: [string[], string[]] = [[], []];
      page.on("console", (message) => said.push(message.text()));
      page.on("request", (request) => asked.push(request.url()));
      const address = pathToFileURL(pathOf(world).replace(".json", ".html")).href;
      await page.goto(address);
      expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Can the old account be closed?");
      const width = await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
      expect(width).toBe(0);
      expect(await violationsOf(page)).toEqual([]);
      expect([said, asked]).toEqual([[], [address]]);
      await context.close();
    }
  } finally {
    await browser.close();
  }
});
