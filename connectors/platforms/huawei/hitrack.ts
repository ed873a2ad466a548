/** A HiTrack file of the phone's storage: the lines of one recording, without its sport and its totals. */
import { haversine } from "../../../transforms/geo.ts";
import type { Archive, Entry } from "../../containers/archive.ts";
import { readUnpacked } from "../../containers/gzip.ts";
import { decodeText } from "../../formats/text.ts";
import type { RecordFound, RowSource } from "../table/description.ts";
import { recordSource } from "../table/sources/record-source.ts";
import { trackOf } from "./track.ts";
import { DETAIL, withAttribute } from "./values.ts";

/** Each file is a recording. */
export function recordings(): RowSource {
  return recordSource({
    files: /(^|\/)HiTrack_[^/]*$/i,
    knownBy: ["startTime"],
    oneEach: true,
    eachIsKnown: true,
    isKnown: (head) => /^tp=[a-z-]{1,10};k=/.test(head),
    records: recordOf,
    whole: recordOf,
    issueOf: () => undefined,
  });
}

/** What follows from the lines: the first and the last time, and the distance between the places. */
async function* recordOf(archive: Archive, entry: Entry): AsyncGenerator<RecordFound> {
  const attribute = DETAIL + decodeText((await readUnpacked(archive, entry)).bytes).text;
  const { points } = trackOf({ attribute });
  const times = points.flatMap(({ instant }) => instant ?? []);
  const [first, last] = [times[0], times.at(-1)];
  const places = points.flatMap(({ position }) => position ?? []);
  const metres = places.reduce((sum, place, at) => sum + haversine(places[at - 1] ?? place, place), 0);
  const [begin] = places;
  const record = withAttribute({ attribute });
  yield {
    value: {
      ...record,
      startTime: first,
      seconds: first === undefined || last === undefined ? 0 : (last - first) / 1000,
      metres: Math.round(metres * 10) / 10,
      ...(begin !== undefined && { position: `${begin.lat} ${begin.lon}` }),
    },
    place: undefined,
  };
}
