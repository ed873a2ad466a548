import { expect, test } from "vitest";
import { memoryArchive } from "./containers/memory.ts";
import { identifyArchive } from "./registry.ts";

test("of an unknown archive with a list of Strava's name, the message says what the list may be", async () => {
  const list = "ID attività,Data attività,Nome attività\n1612345678,3 mag 2024 07:01:02,Corsa\n";
  const asked = identifyArchive(memoryArchive("a.zip", { "activities.csv": list }));
  await expect(asked).rejects.toThrow("may be Strava's list in a language that logferry doesn't know");
  await expect(identifyArchive(memoryArchive("b.zip", { "b.csv": list }))).rejects.not.toThrow("Strava");
  const other = "Typ,Datum,Titel\nLauf,3.5.2024,Runde\n";
  await expect(identifyArchive(memoryArchive("c.zip", { "Activities.csv": other }))).rejects.not.toThrow("Strava");
});
