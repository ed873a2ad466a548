/** The gear of SportTracks: the list of a logbook, and behind it the pieces that activities of fitlogs name. */
import type { Entry } from "../../containers/archive.ts";
import type { FoundRows, RowSource } from "../table/description.ts";
import { xml } from "../table/sources/xml-source.ts";
import { withBrand, withWorkouts } from "./values.ts";

const ofLogbook = xml({
  files: /\.logbook\d?$/i,
  path: ["Logbook", "Equipment", "EquipmentItem"],
  knownBy: ["referenceId"],
  completes: withWorkouts,
});
/** A fitlog has no list of gear. Each activity names its pieces with their ids. */
const ofFitlog = xml({
  files: /\.(fitlog\d?|xml)$/i,
  path: ["FitnessWorkbook", "AthleteLog", "Activity", "EquipmentUsed", "EquipmentItem"],
  knownBy: ["Name"],
  completes: withBrand,
});

/** The pieces of both. Of two with one id the first counts, which is that of the logbook: it has more of a piece. */
export const gear: RowSource = {
  async find(archive, columns) {
    const [logbook, fitlog] = [await ofLogbook.find(archive, columns), await ofFitlog.find(archive, columns)];
    return logbook === undefined || fitlog === undefined ? (logbook ?? fitlog) : joined(logbook, fitlog);
  },
};

function joined(first: FoundRows, second: FoundRows): FoundRows {
  const isFirst = (entry: Entry) => first.entries.some(({ path }) => path === entry.path);
  return {
    ...first,
    entries: [...first.entries, ...second.entries],
    rows: (session, entry, mapping, report) => (isFirst(entry) ? first : second).rows(session, entry, mapping, report),
    holds: (path) => first.holds(path) || second.holds(path),
    strangers: () => [...(first.strangers?.() ?? []), ...(second.strangers?.() ?? [])],
  };
}
