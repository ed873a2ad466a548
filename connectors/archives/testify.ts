/** What a scanned device file says of whose it is: the device that made it, and who wore that. */
import type { PersonSaid } from "../../transforms/model/testimony.ts";
import type { Wearer } from "../formats/recording.ts";
import type { Scanned } from "./scan-file.ts";
import type { Session } from "./session.ts";

/** Tells whoever listens what a file says of its owner. A file that says nothing of it is told of neither. */
export function testifyOf({ context }: Session, entry: string, { file }: Scanned): void {
  if (context.testify === undefined) return;
  const { serial, manufacturer, product } = file.device;
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
        ...(manufacturer !== undefined && { maker: manufacturer }),
        ...(product !== undefined && { product }),
      },
    }),
    ...(person !== undefined && { person }),
  });
}

/** An age says a year of birth only together with a date. */
function personOf({ name, sex, age, weight, maxHR }: Wearer, instant: number | undefined): PersonSaid {
  const year = instant === undefined ? undefined : new Date(instant).getUTCFullYear();
  return {
    ...(name !== undefined && { givenName: name }),
    ...(sex !== undefined && { sex }),
    ...(age !== undefined && year !== undefined && { born: year - age }),
    ...(weight !== undefined && { weight }),
    ...(maxHR !== undefined && { maxHR }),
  };
}
