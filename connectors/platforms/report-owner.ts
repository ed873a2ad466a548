/** What a scanned device file says of whose it is: the device that made it, and who wore that. */
import type { PersonSaid } from "../../transforms/model/owner-evidence.ts";
import type { Wearer } from "../formats/recording.ts";
import type { Scanned } from "./scan-file.ts";
import type { Session } from "./session.ts";

/** Tells whoever listens what a file says of its owner. A file that says nothing of it is told of neither. */
export function testifyOf({ context }: Session, entry: string, { file }: Scanned): void {
  if (context.testify === undefined) return;
  const { serial, product } = file.device;
  // TCX is Garmin's format, and its UnitId Garmin's serial: the same device's FIT files say both.
  const maker = file.device.manufacturer ?? (file.format === "tcx" ? "garmin" : undefined);
  const wearer = "wearer" in file ? file.wearer : undefined;
  if (serial === undefined && wearer === undefined) return;
  const instant = file.recordings.find(({ start }) => start !== undefined)?.start;
  const person = wearer && personOf(wearer, instant);
  context.testify({
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

/** An age says a year of birth only together with a date. */
function personOf({ sex, age, weight }: Wearer, instant: number | undefined): PersonSaid {
  const year = instant === undefined ? undefined : new Date(instant).getUTCFullYear();
  return {
    ...(sex !== undefined && { sex }),
    ...(age !== undefined && year !== undefined && { born: year - age }),
    ...(weight !== undefined && { weight }),
  };
}
