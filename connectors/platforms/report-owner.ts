/** Reports the owner evidence in a scanned device file: the device that made it, and its wearer. */
import type { PersonEvidence } from "../../transforms/model/owner-evidence.ts";
import type { Wearer } from "../formats/recording.ts";
import type { Scanned } from "./scan-file.ts";
import type { ReadSession } from "./session.ts";

/** Reports the owner evidence of a file, if there is any. */
export function reportFileOwner({ context }: ReadSession, entry: string, { file }: Scanned): void {
  if (context.reportOwner === undefined) return;
  const { serial, product } = file.device;
  // TCX is Garmin's format, and its UnitId is Garmin's serial. FIT files of the same device have both.
  const maker = file.device.manufacturer ?? (file.format === "tcx" ? "garmin" : undefined);
  const wearer = "wearer" in file ? file.wearer : undefined;
  if (serial === undefined && wearer === undefined) return;
  const instant = file.recordings.find(({ start }) => start !== undefined)?.start;
  const person = wearer && personOf(wearer, instant);
  context.reportOwner({
    entry,
    ...(instant !== undefined && { instant }),
    ...(serial !== undefined && {
      device: {
        serial,
        ...(maker !== undefined && { maker }),
        ...(product !== undefined && { product }),
      },
    }),
    ...(person !== undefined && { person }),
  });
}

/** An age gives a year of birth only together with a date. */
function personOf({ sex, age, weight }: Wearer, instant: number | undefined): PersonEvidence {
  const year = instant === undefined ? undefined : new Date(instant).getUTCFullYear();
  return {
    ...(sex !== undefined && { sex }),
    ...(age !== undefined && year !== undefined && { born: year - age }),
    ...(weight !== undefined && { weight }),
  };
}
