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
<Activities><Activity referenceId="a1" startTime="2011-05-06T16:30:00Z" hasStartTime="true" totalTime="1400" categoryId="c3"/></Activities>
<Equipment><EquipmentItem referenceId="e1" brand="Asics" model="Kayano 16" type="Shoe"><Activities><Activity referenceId="a1"/></Activities>
</EquipmentItem></Equipment></Logbook>`;

const activity = (id: string, category: string, piece: string) =>
  `<Activity StartTime="2012-03-2${id.slice(1)}T06:30:00Z" Id="${id}"><Duration TotalSeconds="1400"/>${category}
<EquipmentUsed><EquipmentItem ${piece}/></EquipmentUsed></Activity>`;

const KAYANO = 'Id="e1" Name="Asics - Kayano 16"';
const FITLOG = `<FitnessWorkbook xmlns="http://www.zonefivesoftware.com/xmlschemas/FitnessLogbook/v2"><AthleteLog><Athlete Id="g" Name="Jo"/>
${activity("a1", '<Category Id="c3" Name="Lockerer DL"/>', KAYANO).replace("2012-03-21T06:30", "2011-05-06T16:30")}
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

test("of an activity that was edited in a fitlog or in the logbook, the newer state counts, and a person decides where nothing shows it", async () => {
  const inLogbook = (id: string, name: string, edited: string) =>
    `<Activity referenceId="${id}" startTime="2012-03-2${id.slice(1)}T06:30:00Z" hasStartTime="true" totalTime="1400" categoryId="c3" name="${name}">${edited}</Activity>`;
  const inFitlog = (id: string, name: string, edited: string) =>
    activity(id, '<Category Id="c3"/>', KAYANO).replace("<Duration", `${edited}<Name>${name}</Name><Duration`);
  const log = (day: string) => `<Metadata created="2012-03-20T10:00:00Z" modified="2012-04-${day}T10:00:00Z"/>`;
  const inFit = (day: string, zone = "Z") => `<Metadata Modified="2012-04-${day}T10:00:00${zone}"/>`;
  const archive = memoryArchive("st", {
    "Jo.logbook3": LOGBOOK.replace(
      "</Activities>\n<Equipment>",
      `${inLogbook("b1", "old", log("01"))}${inLogbook("b2", "new", log("05"))}${inLogbook("b3", "one", log("05"))}${inLogbook("b4", "same", "")}
</Activities><Equipment>`,
    ),
    "x.fitlog": FITLOG.replace(
      /<Athlete Id[\s\S]*<\/AthleteLog>/,
      `${inFitlog("b1", "new", inFit("02"))}${inFitlog("b2", "old", inFit("02"))}${inFitlog("b3", "two", inFit("05", ""))}${inFitlog("b4", "same", inFit("05"))}</AthleteLog>`,
    ),
  });
  const { readings } = await readAll(sportTracks, archive);
  const names = readings.flatMap((each) => (each.kind === "workout" ? [[each.key, each.value.name]] : []));
  expect(names.sort()).toEqual([
    ["sporttracks:workout:a1", undefined],
    ["sporttracks:workout:b1", "new"],
    ["sporttracks:workout:b2", "new"],
    ["sporttracks:workout:b3", "one"],
    ["sporttracks:workout:b4", "same"],
  ]);
  expect(readings.filter(({ kind }) => kind === "set-aside")).toMatchObject([
    { as: "skipped", issue: { found: "a fitlog beside the logbook has it in a newer state" } },
    { as: "skipped", issue: { found: "the logbook has it, too, and in a newer state" } },
    { as: "quarantined", issue: { rule: "sporttracks/other-in-logbook" } },
    { as: "skipped", issue: { found: "the logbook has it, too" } },
  ]);
});
