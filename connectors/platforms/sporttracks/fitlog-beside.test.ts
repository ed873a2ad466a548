import { expect, test } from "vitest";
import { readAll } from "../../../test/suites/fixture-cases.ts";
import { memoryArchive } from "../../containers/memory.ts";
import { sportTracks } from "./table.ts";

const LOGBOOK = `<Logbook xmlns="urn:uuid:D0EB2ED5-49B6-44e3-B13C-CF15BE7DD7DD"><ActivityCategories>
<Category referenceId="m" name="Meine"><Categories><ActivityCategory referenceId="c1" name="Laufen"><Categories>
<ActivityCategory referenceId="c2" name="Wettkampf"/><ActivityCategory referenceId="c3" name="Lockerer DL"/></Categories>
</ActivityCategory></Categories></Category>
<Category referenceId="0277c86c-cf72-11db-9705-005056c00008" name="Freunde"><Categories>
<ActivityCategory referenceId="f1" name="Laufen"/></Categories></Category></ActivityCategories>
<Activities><Activity referenceId="a1" startTime="2011-05-06T16:30:00Z" hasStartTime="true" totalTime="1800" categoryId="c3"/></Activities>
<Equipment><EquipmentItem referenceId="e1" brand="Asics" model="Kayano 16" type="Shoe"><Activities><Activity referenceId="a1"/></Activities>
</EquipmentItem></Equipment></Logbook>`;

const activity = (id: string, category: string, piece: string) =>
  `<Activity StartTime="2012-03-2${id.slice(1)}T06:30:00Z" Id="${id}"><Duration TotalSeconds="1400"/>${category}
<EquipmentUsed><EquipmentItem ${piece}/></EquipmentUsed></Activity>`;

const KAYANO = 'Id="e1" Name="Asics - Kayano 16"';
const FITLOG = `<FitnessWorkbook xmlns="http://www.zonefivesoftware.com/xmlschemas/FitnessLogbook/v2"><AthleteLog><Athlete Id="g" Name="Jo"/>
${activity("a1", '<Category Id="c3" Name="Lockerer DL"/>', KAYANO)}
${activity("b2", '<Category Id="c3" Name="Lockerer DL"/>', KAYANO)}
${activity("b3", '<Category Id="c2" Name="Wettkampf"/>', 'Id="e9" Name="Mizuno - Rider"')}
${activity("b4", '<Category Id="f1" Name="Laufen"/>', KAYANO)}
${activity("b6", '<Category Id="c3" Name="Lockerer DL"/>', KAYANO).replace("2012-03-26T06:30:00Z", "2011-05-06T18:30:00.25+02:00").replace('Id="b6"', "")}
${activity("b5", '<Category Id="x" Name="Jogging"/>', KAYANO)}</AthleteLog></FitnessWorkbook>`;

test("a fitlog beside a logbook has its categories and shoes, and only activities that the logbook lacks", async () => {
  const archive = memoryArchive("st", { "Jo.logbook3": LOGBOOK, "x.fitlog": FITLOG });
  const { readings, issues } = await readAll(sportTracks, archive);
  expect(issues).toEqual([]);
  const workouts = readings.flatMap((each) => (each.kind === "workout" ? [each] : []));
  expect(workouts.map(({ key, value: { activity, type, equipment } }) => [key, activity, type, equipment])).toEqual([
    ["sporttracks:workout:a1", "run", undefined, ["sporttracks:equipment:e1"]],
    ["sporttracks:workout:b2", "run", undefined, ["sporttracks:equipment:e1"]],
    ["sporttracks:workout:b3", "run", "race", ["sporttracks:equipment:e9"]],
    ["sporttracks:workout:b5", "run", undefined, ["sporttracks:equipment:e1"]],
  ]);
  expect(readings.filter(({ kind }) => kind === "equipment")).toMatchObject([
    { value: { brandName: "Asics", modelName: "Kayano 16", notes: "Type: Shoe" } },
    { value: { brandName: "Mizuno", modelName: "Rider" } },
  ]);
  expect(readings.filter(({ kind }) => kind === "set-aside")).toMatchObject([
    { as: "skipped", issue: { found: "the logbook has it, too" } },
    { as: "skipped", issue: { found: "an activity of a friend" } },
    { as: "skipped", issue: { found: "the logbook has it, too" } },
  ]);
});
