import { expect, test } from "vitest";
import { readAll } from "../../../test/suites/fixture-cases.ts";
import { memoryArchive } from "../../containers/memory.ts";
import { sportTracks } from "./table.ts";

const fitlog = (...activities: readonly string[]) =>
  `<FitnessWorkbook xmlns="http://www.zonefivesoftware.com/xmlschemas/FitnessLogbook/v2"><AthleteLog><Athlete Id="g" Name="Jo"/>${activities.join("")}</AthleteLog></FitnessWorkbook>`;
const activity = (id: number, inside: string) =>
  `<Activity StartTime="2012-03-0${id}T06:30:00Z" Id="a${id}"><Name>12,5</Name><Category Id="c" Name="Running"/>${inside}</Activity>`;
const LOGBOOK = `<Logbook xmlns="urn:uuid:D0EB2ED5-49B6-44e3-B13C-CF15BE7DD7DD"><Activities>
<Activity referenceId="a1" startTime="2011-05-06T16:30:00Z" hasStartTime="true" totalTime="1800,25" totalDistance="5012,5" categoryName="Running">
<Weather temperatureCelsius="-2,5" conditions="Clear"/></Activity></Activities></Logbook>`;

const workoutsIn = async (files: Readonly<Record<string, string>>) =>
  (await readAll(sportTracks, memoryArchive("st", files))).readings;

test("numbers with a decimal comma are read in a fitlog and in a logbook, in totals, laps, points and the weather", async () => {
  const point = (tm: string, more: string) => `<pt tm="${tm}" lat="50,125" lon="8,5" ${more}/>`;
  const [inTotals, inTrack] = await workoutsIn({
    "x.fitlog": fitlog(
      activity(
        1,
        `<Duration TotalSeconds="1400,5"/><Distance TotalMeters="4000,750"/><Weather Conditions="Clear" Temp="12,5"/>
        <Laps><Lap DurationSeconds="700,25"><Distance TotalMeters="2000,75"/></Lap>
        <Lap DurationSeconds="700,25"><Distance TotalMeters="2000"/></Lap></Laps>`,
      ),
      activity(2, `<Track>${point("0", 'dist="0"')}${point("600,5", 'dist="2000,25" hr="140"')}</Track>`),
    ),
  });
  expect(inTotals).toMatchObject({
    value: {
      ...{ name: "12,5", duration: 1400.5, distance: { unit: "m", value: 4000.75 } },
      ...{ weather: { temperature: { unit: "C", value: 12.5 } } },
      intervalSet: { intervals: [{ duration: 700.25, distance: { unit: "m", value: 2000.75 } }, { duration: 700.25 }] },
    },
  });
  expect(inTrack).toMatchObject({ value: { duration: 600.5, distance: { unit: "m", value: 2000.25 } } });
  expect(await workoutsIn({ "Jo.logbook3": LOGBOOK })).toMatchObject([
    {
      value: {
        ...{ duration: 1800.25, distance: { unit: "m", value: 5012.5 } },
        weather: { temperature: { unit: "C", value: -2.5 } },
      },
    },
  ]);
});

test("a number that may have thousands is left by itself, and not its workout", async () => {
  const inside =
    '<Duration TotalSeconds="1400"/><Distance TotalMeters="4,000"/><Weather Conditions="Clear" Temp="warm"/>';
  expect(await workoutsIn({ "x.fitlog": fitlog(activity(1, inside)) })).toMatchObject([
    {
      kind: "workout",
      value: {
        duration: 1400,
        unsupported: [
          { field: "distance", value: "4,000", isUnread: true },
          { field: "temperature", value: "warm" },
        ],
      },
    },
  ]);
});
