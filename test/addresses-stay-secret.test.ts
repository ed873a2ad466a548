import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { jsonLines } from "./support/cli.ts";
import { type ScriptedServer, startServer } from "./support/http-server.ts";
import { type Rehearsal, rehearse } from "./support/rehearsal.ts";
import { zipBytes } from "./support/zip-bytes.ts";

// The query of a signed address, and the password before its host, let every reader fetch the file. No output and no file may hold them.

const SECRET = "gEhEiM0123456789";
const RUNS = zipBytes([
  {
    name: "cardioActivities.csv",
    content:
      "Activity Id,Date,Type,Route Name,Distance (km),Duration,Average Pace,Average Speed (km/h),Calories Burned,Climb (m),Average Heart Rate (bpm),Friend's Tagged,Notes,GPX File,Odd\n" +
      "a,2017-01-24 18:07:40,Running,,5.03,26:42,5:18,11.30,384.0,22,,,,,7\n" +
      "b,2017-01-25 18:07:40,Quidditch,,5.03,26:42,5:18,11.30,384.0,22,,,,,7\n",
  },
  { name: "unknown.csv", content: "a,b\n1,2\n" },
]);
const SHEET = zipBytes([
  {
    name: "log.csv",
    content: `Day,Kind,Km,Minutes\n${Array.from({ length: 20 }, (_, day) => `${day + 10}.03.2014,run,${day + 5}.2,${day + 30}`).join("\n")}\n`,
  },
]);

let rehearsal: Rehearsal;
let server: ScriptedServer;
beforeEach(async () => {
  rehearsal = await rehearse();
  server = await startServer(({ path, headers }) => {
    const file = path.endsWith("sheet.zip") ? SHEET : RUNS;
    if (path.startsWith("/expired/")) return { status: 403, body: "" };
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? "") ?? [];
    const part = file.subarray(Number(from), Number(to) + 1);
    const range = `bytes ${from}-${Number(from) + part.length - 1}/${file.length}`;
    return { status: 206, headers: { "content-range": range }, body: part };
  });
});
afterEach(async () => {
  await server.close();
  await rehearsal.close();
});

/** Every file below the person's home. */
function filesOfHome(): readonly string[] {
  return readdirSync(rehearsal.folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(rehearsal.folder, name))
    .filter((path) => statSync(path).isFile());
}

test("the secret of an address is in no output and in no file", async () => {
  const { host } = new URL(server.url);
  const runs = [
    `${server.url}/export.zip?X-Sig=${SECRET}`,
    `http://jo:${SECRET}@${host}/export.zip`,
    `http://jo:${SECRET}@${host}/export.zip?sig=${SECRET}#${SECRET}`,
  ];
  const broken = [
    `${server.url}/expired/export.zip?X-Sig=${SECRET}`,
    `https://jo:${SECRET}@files.example:99999/export.zip?sig=${SECRET}`,
    `ftp://jo:${SECRET}@files.example/export.zip?sig=${SECRET}`,
    `http:/files.example/export.zip?sig=${SECRET}`,
  ];
  const roster = join(rehearsal.folder, "roster.csv");
  const [signed = ""] = runs;
  // The secrets of a roster are the coach's own words.
  const rosterText = `athlete,log,archives,token-variable\nJo,demo,${signed},LOGFERRY_TOKEN\nAn,demo,${broken[0]},LOGFERRY_TOKEN\nUs,demo,${broken[2]},LOGFERRY_TOKEN\n`;
  writeFileSync(roster, rosterText);
  const plain = ["--zone", "UTC", ...rehearsal.activities];
  const sheet = `http://jo:${SECRET}@${host}/sheet.zip?sig=${SECRET}`;
  const kept = join(rehearsal.folder, "address.txt");
  writeFileSync(kept, `${runs[2]}\n`, { mode: 0o600 });
  const keptBroken = join(rehearsal.folder, "broken.txt");
  writeFileSync(keptBroken, `ftp://jo:${SECRET}@files.example/export.zip?sig=${SECRET}\n`, { mode: 0o600 });
  const keptExpired = join(rehearsal.folder, "expired.txt");
  writeFileSync(keptExpired, `${broken[0]}\n`, { mode: 0o600 });
  const own = [roster, kept, keptBroken, keptExpired];
  const commands: string[][] = [
    ...[kept, keptBroken, keptExpired].flatMap((file) => [
      ["inspect", `@${file}`, "--verbose"],
      ["plan", `@${file}`, ...plain, "--json"],
      ["import", `@${file}`, ...plain, "--report", join(rehearsal.folder, "kept.html")],
      ["map", "infer", `@${file}`],
    ]),
    ...[...runs, ...broken].flatMap((address) => [
      ["inspect", address],
      ["inspect", address, "--json", "--verbose"],
      ["inspect", address, "--anonymise"],
      ["plan", address, ...plain],
      ["plan", address, ...plain, "--json", "--verbose"],
    ]),
    ["map", "infer", sheet, "--out", join(rehearsal.folder, "sheet.map.yaml")],
    ["map", "infer", sheet, "--json", "--out", join(rehearsal.folder, "sheet.map.yaml")],
    ...broken.map((address) => ["map", "infer", address]),
    ["import", join(rehearsal.folder, "none"), "--map", signed],
    ["import", signed, `--map=${signed}`],
    ["import", signed, ...plain, "--report", join(rehearsal.folder, "report.html"), "--verbose"],
    ["import", signed, ...plain, "--json", "--report", join(rehearsal.folder, "report.json")],
    ["status", "--verbose"],
    ["status", "--json"],
    ["explain", "2017-01-24"],
    ["explain", "2017-01-24", "--json"],
    ["explain", signed],
    ["verify", "--report", join(rehearsal.folder, "verified.html")],
    ["status", "--report", join(rehearsal.folder, "loss.csv")],
    ["verify", "--json"],
    ["quarantine"],
    ["quarantine", "--json"],
    ["quarantine", "retry"],
    ["quarantine", "show", signed],
    ["apply"],
    ["apply", signed],
    ["retry"],
    [signed],
    ["imprt", signed],
    ["batch", roster],
    ["batch", roster, "--json"],
    ["batch", "status", roster],
  ];
  const leaks: string[] = [];
  for (const words of commands) {
    const { out, err } = await rehearsal.run(words);
    for (const line of `${out}\n${err}`.split("\n"))
      if (line.includes(SECRET)) leaks.push(`${words.slice(0, 2).join(" ")}: ${line}`);
  }
  expect(leaks).toEqual([]);
  expect(readFileSync(join(rehearsal.folder, "loss.csv"), "utf8")).toContain("calories,384.0 kcal");
  const holding = filesOfHome().filter((path) => !own.includes(path) && readFileSync(path, "latin1").includes(SECRET));
  expect(holding).toEqual([]);
});

describe("an address in a file", () => {
  const signed = () => `${server.url}/export.zip?X-Sig=${SECRET}`;
  const fileWith = (text: string, mode = 0o600) => {
    const path = join(rehearsal.folder, "address.txt");
    writeFileSync(path, text, { mode });
    chmodSync(path, mode);
    return path;
  };

  test("is read in its place among the sources, however long it is", async () => {
    const path = fileWith(`  ${signed()}&X-Token=${"t".repeat(3000)}  \n# the mail of 3 May\n`);
    const { out, code } = await rehearsal.run(["inspect", `@${path}`, "--json"]);
    expect(jsonLines(out)).toContainEqual(expect.objectContaining({ type: "source", title: "Runkeeper export" }));
    expect(code).toBe(3);
  });

  test("is refused where others can read it, with the command that mends it", async () => {
    const path = fileWith(signed(), 0o644);
    const { err, code } = await rehearsal.run(["inspect", `@${path}`]);
    expect(err).toBe(`Cannot use ${path}: others can read it. Run: chmod 600 ${path}\n`);
    expect(code).toBe(2);
  });

  test("is named by its file, and not shown, where it is no address", async () => {
    const path = fileWith(`my password is ${SECRET}`);
    const { err, code } = await rehearsal.run(["plan", `@${path}`]);
    expect(err).toContain(`Cannot use @${path}: its first line is no address that begins with https://.`);
    expect(err).not.toContain(SECRET);
    expect(code).toBe(2);
  });

  test("that isn't there is said with its path", async () => {
    const { err } = await rehearsal.run(["import", "@no/such.txt"]);
    expect(err).toBe("Cannot read the address file no/such.txt: there is no such file or folder\n");
  });
});

test("a mapping for a table behind an address is written where the person is, and the next step names both", async () => {
  const address = `${server.url}/sheet.zip?sig=${SECRET}`;
  const through = ["/bin/sh", "-c", `cd '${rehearsal.folder}' && exec "$0" "$@"`];
  const { out, err } = await rehearsal.run(["map", "infer", address], { through });
  expect(out, err).toContain("Written: sheet.zip.map.yaml");
  expect(readFileSync(join(rehearsal.folder, "sheet.zip.map.yaml"), "utf8")).toContain("Km");
  expect(out).toContain(`'${server.url}/sheet.zip?' --out sheet.zip.map.yaml`);
});
