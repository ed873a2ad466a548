/**
 * `docs/curl.md` is a transcript. The tests run every command in it against a service: with an imitation of curl, and with curl itself
 * where it is installed. The page holds the answers.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { afterAll, describe, expect } from "vitest";
import { rowTest, test } from "../../test/support/tier-tests.ts";
import { firstOf } from "../../test/support/tiers.ts";
import { addDemoUser } from "../demo.ts";
import { type Service, startService } from "../server.ts";
import { FUNCTION, imitatedShell, realShell, type Shell } from "./transcript.ts";
import { Visitor } from "./visitor.ts";

const PAGE = join(import.meta.dirname, "../../docs/curl.md");
const PASSWORD = "a password for the docs";
const OOB = "urn:ietf:wg:oauth:2.0:oob";

/** One command of the page. */
interface Step {
  /** The text for the reader. */
  readonly says: string;
  readonly command: string;
  /** The shell variable that keeps the answer's id. */
  readonly keep?: string;
}

interface Section {
  readonly title: string;
  readonly steps: readonly Step[];
}

const JSON_TYPE = "-H 'Content-Type: application/json'";

const SECTIONS: readonly Section[] = [
  {
    title: "The user and the preference",
    steps: [
      { says: "Whose log is it?", command: "log /rest/users/me" },
      {
        says: "Save the preference. The answer has no `data`.",
        command: `log /rest/users/me/preference -X PUT ${JSON_TYPE} \\\n  -d '{"utcOffset":1,"distanceUnit":"km","weightUnit":"kg","temperatureUnit":"C"}'`,
      },
      { says: "And read it.", command: "log /rest/users/me/preference" },
    ],
  },
  {
    title: "Equipment and courses",
    steps: [
      {
        says: "Save a pair of shoes. The answer's id is kept for later: `SHOES=` followed by the id.",
        command: `log /rest/logs/me/equipment ${JSON_TYPE} \\\n  -d '{"activityID":10,"brandName":"Acme","modelName":"Fast 3","purchaseDate":"2024-01-02"}'`,
        keep: "SHOES",
      },
      {
        says: "Save a course, packed or not.",
        command: `log /rest/logs/me/courses ${JSON_TYPE} \\\n  -d '{"name":"River","distance":{"unit":"km","value":10.2},"surfaces":{"asphalt":true}}'`,
        keep: "COURSE",
      },
      {
        says: "Put a map on it: any GPX 1.0 or 1.1 with a line in it.",
        command:
          'log "/rest/logs/me/courses/$COURSE/gpx" \\\n  --data-binary "@fixtures/demo/watch/fenix 6/2020-03-18-17-57-10.gpx"',
      },
      { says: "Get the course.", command: 'log "/rest/logs/me/courses/$COURSE"' },
    ],
  },
  {
    title: "Workouts",
    steps: [
      {
        says: "Save a workout: an activity and a date are what it needs.",
        command: `log /rest/logs/me/workouts ${JSON_TYPE} \\\n  -d '{"activityID":10,"workoutID":4,"date":"2024-03-03","time":"08:30:00","notes":"sunny",
       "course":{"id":"'"$COURSE"'"},"equipment":[{"id":"'"$SHOES"'"}],
       "details":{"distance":{"unit":"km","value":10.2},"duration":3277.5}}'`,
        keep: "WORKOUT",
      },
      {
        says: "Get it back: names are filled in, and `time` has become `timeOfDay`.",
        command: 'log "/rest/logs/me/workouts/$WORKOUT"',
      },
      {
        says: "A PUT replaces the whole record.",
        command: `log "/rest/logs/me/workouts/$WORKOUT" -X PUT ${JSON_TYPE} \\\n  -d '{"activityID":10,"date":"2024-03-03","time":"08:30:00","equipment":[{"id":"'"$SHOES"'"}],
       "details":{"distance":{"unit":"mi","value":6.4},"duration":3277.5}}'`,
      },
      {
        says: "A second piece of equipment is refused.",
        command: `log /rest/logs/me/workouts ${JSON_TYPE} \\\n  -d '{"activityID":10,"date":"2024-03-03","equipment":[{"id":"'"$SHOES"'"},{"id":"'"$SHOES"'"}]}'`,
      },
      {
        says: "Import a watch's file; one that is packed says so.",
        command:
          "log /rest/logs/me/workouts/fit -H 'Content-Encoding: gzip' \\\n  --data-binary \"@fixtures/demo/watch/Forerunner 955/2024-06-20-06-12-53.fit.gz\"",
        keep: "IMPORTED",
      },
    ],
  },
  {
    title: "Listings",
    steps: [
      {
        says: "What the shoes have run: the distances of their workouts added up, in metres. `-G` makes `-d` part of the address.",
        command: "log /rest/logs/me/equipment -G -d activityName=10 -d limit=10",
      },
      { says: "A limit is between 1 and 100.", command: "log /rest/logs/me/equipment -G -d limit=101" },
      {
        says: "Training plans: those an operator or an application made.",
        command: "log /rest/logs/me/training_plans",
      },
      {
        says: "Workouts, newest first. This listing is not in the interface document.",
        command: "log /rest/logs/me/workouts -G -d limit=1 -d offset=1",
      },
      {
        says: "Sums, to compare with after a migration. Not in the interface document either.",
        command: "log /rest/logs/me/workouts -G -d dateMode=year",
      },
    ],
  },
];

const EXCHANGE =
  "printf 'client_id=%s&client_secret=%s&code=%s&redirect_uri=urn:ietf:wg:oauth:2.0:oob&grant_type=authorization_code' \\\n" +
  '  "$KEY" "$SECRET" "$CODE" | curl -s "$LOG/oauth2/token" -d @-';

const running: Service[] = [];
afterAll(async () => {
  for (const service of running) await service.close();
});

/** Runs every command, and gives the page. */
async function transcript(shell: Shell): Promise<string> {
  const service = await startService({ database: ":memory:" });
  running.push(service);
  const { userId, login = "", token } = await addDemoUser(service, { screenName: "ann", password: PASSWORD });
  const plan = await service.operator.addTrainingPlan(userId, { name: "First marathon", numWeeks: 16 });
  const variables: Record<string, string> = { LOG: service.url, TOKEN: token };
  const named = new Map([[plan, "…"]]);
  const told = (text: string) => [...named].reduce((shown, [secret, name]) => shown.replaceAll(secret, name), text);
  const lines: string[] = [];
  for (const { title, steps } of SECTIONS) {
    lines.push(`## ${title}`, "");
    for (const { says, command, keep } of steps) {
      const answer = await shell(command, variables);
      if (keep !== undefined) {
        const { data } = JSON.parse(answer);
        variables[keep] = data.id ?? data.ids[0];
        named.set(variables[keep] as string, `$${keep}`);
      }
      lines.push(says, "", "```sh", command.trimEnd(), "```", "", "```json", told(answer), "```", "");
    }
  }
  const { clientId, clientSecret } = await service.operator.addApplication({ name: "App", redirectURIs: [OOB] });
  const visitor = new Visitor(service.url);
  await visitor.signIn(login, PASSWORD);
  const path = `/oauth2/authorize?response_type=code&client_id=${clientId}&redirect_uri=${OOB}`;
  const granted = await visitor.fillIn(path, { decision: "allow" });
  const CODE = /<title>(.*)<\/title>/.exec(granted.text)?.[1] ?? "";
  const answer = await shell(EXCHANGE, { LOG: service.url, KEY: clientId, SECRET: clientSecret, CODE });
  named.set(JSON.parse(answer).access_token, "$TOKEN");
  const again = await shell(EXCHANGE, { LOG: service.url, KEY: clientId, SECRET: clientSecret, CODE });
  return [...OPENING, ...lines, ...grantSection(told(answer), again)].join("\n");
}

const OPENING = [
  "# The service, by curl",
  "",
  "Every command below is run by a test, and every answer is what the service gave. To follow along, start a service in a folder with",
  "logferry's sources, and take over what it prints:",
  "",
  "```sh",
  "logferry serve --demo-user",
  "```",
  "",
  "```sh",
  "LOG=http://127.0.0.1:8080",
  "TOKEN=the-access-token-it-prints",
  "```",
  "",
  "The token travels in the address, and whatever stands on a command line can be read by everybody on the machine. So it goes to curl by a",
  "pipe:",
  "",
  "```sh",
  FUNCTION,
  "```",
  "",
  "`logferry`'s service describes all of its operations at `/docs`, and at `/openapi.json` for programs.",
  "",
];

function grantSection(answer: string, again: string): readonly string[] {
  return [
    "## Getting a token",
    "",
    "An application is registered by the operator, and gets a key and a secret. It sends the user's browser to",
    "",
    "```",
    "$LOG/oauth2/authorize?response_type=code&client_id=$KEY&redirect_uri=urn:ietf:wg:oauth:2.0:oob",
    "```",
    "",
    "The user signs in, allows it, and is shown a code, which is good for ten minutes:",
    "",
    "```sh",
    EXCHANGE,
    "```",
    "",
    "```json",
    answer,
    "```",
    "",
    "A code is good once. A second try takes back what the first one gave:",
    "",
    "```json",
    again,
    "```",
    "",
  ];
}

/** Curl itself runs too where it is installed. The tests don't need it. */
const hasCurl = spawnSync("curl", ["--version"]).status === 0;
const SHELLS: readonly (readonly [string, Shell])[] = [
  ["an imitation of curl that sends the same requests", imitatedShell],
  ...(hasCurl ? [["curl", realShell] as const] : []),
];

describe("docs/curl.md is what the service answers (`npm run docs` writes it)", () => {
  rowTest.each(firstOf(1, SHELLS))("to %s", async (_name, shell) => {
    await expect(await transcript(shell)).toMatchFileSnapshot(PAGE);
  });

  test("and no token, code or secret is in it", async () => {
    const words = (await transcript(imitatedShell)).match(/[A-Za-z0-9_-]{32,}/g) ?? [];
    // Ids of brands and models are 32 hexadecimal digits. Secrets have other letters too.
    expect(words.filter((word) => !/^[0-9a-f]{32}$/.test(word))).toEqual([]);
  });
});
