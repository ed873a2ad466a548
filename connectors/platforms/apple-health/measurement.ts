/** How Apple Health writes a measurement. Nearly all of an export are measurements. Source: the document type of the export, and exports since iOS 9. */
import type { PlainForm } from "../../formats/xml/plain.ts";

/** A measurement, alone or with remarks about it. One of another form is read, too, but slowly. */
export const MEASUREMENT: PlainForm = {
  name: "Record",
  // biome-ignore format: one line, as in the file
  attributes: ["type", "sourceName", "sourceVersion", "device", "unit", "creationDate", "startDate", "endDate", "value"],
  decidedBy: ["type", "sourceName", "unit", "startDate"],
  parts: { MetadataEntry: ["key", "value"] },
};
