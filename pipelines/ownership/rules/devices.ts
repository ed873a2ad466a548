/** Finds a watch that also recorded another athlete. */
import { printable } from "../../../transforms/text/printable.ts";
import { quoted } from "../../log/owner.ts";
import type { Block } from "../block.ts";
import { type DeviceSeenBefore, deviceFingerprint } from "../memory.ts";
import { type ArchiveRule, isOtherProven, isProven, named, type Other, THRESHOLDS } from "./rule.ts";

/**
 * Makers whose serials belong to a program, or to a machine that a club shares.
 * Source: `manufacturer` of the FIT profile. In ../shared/corpus, files of many people have one serial of such a maker.
 */
const NOT_ONE_PERSONS: ReadonlySet<string> = new Set(
  "development strava zwift trainer_road the_sufferfest virtualtraining mywhoosh onelap concept2 wattbike tacx peloton".split(
    " ",
  ),
);

/** Serials that programs write into files without a real serial. Source: ../shared/corpus has 0, 34, 1234 and 2147483647. */
const NO_SERIAL = /^(\d{1,4}|1234567890|12345678|123456789|4294967295|2147483647|(\d)\2+)$/;

/** The archive has files of a device that is also in another athlete's archives. */
export const sharedDevice: ArchiveRule = (known, archive, others) =>
  archive.devices.flatMap((device): Block[] => {
    const { athlete } = known.suspect;
    if (NOT_ONE_PERSONS.has(device.maker ?? "") || NO_SERIAL.test(device.serial)) return [];
    const isAll = device.files === archive.devices.reduce((sum, each) => sum + each.files, 0);
    if (device.files < THRESHOLDS.deviceFiles && !isAll) return [];
    const mark = deviceFingerprint(device);
    const holders: { other: Other; theirs: DeviceSeenBefore }[] = [];
    for (const other of others.withDevice(mark)) {
      const theirs = other.trace.devices.find((each) => each.mark === mark);
      if (theirs !== undefined) holders.push({ other, theirs });
      if (holders.length + 1 >= THRESHOLDS.deviceAthletes) return [];
    }
    const wasOwn = known.before?.devices.some((each) => each.mark === mark) === true;
    const isProvenOwn = isProven(known.suspect, archive);
    return holders.flatMap(({ other, theirs }): Block[] => {
      // If memory or the archive itself shows that the device is this athlete's, the other one is blocked. A profile in the archive proves
      // this only if the other athlete has no such profile.
      if (wasOwn || (isProvenOwn && !isOtherProven(other))) return [];
      const apart = isApart(device, theirs);
      if (isProvenOwn && apart) return [];
      const handed = apart ? "; should it have changed hands, that is no matter" : "";
      const watch = [device.maker, device.product].filter((word) => word !== undefined).join(" ");
      const says =
        `${named(archive.name)} holds ${files(device.files)}${period(device)} of the device ${printable(watch, 60)} with the serial ${printable(device.serial, 40)}, ` +
        `which recorded ${files(theirs.files)}${period(theirs)} of ${quoted(other.athlete)}${handed}`;
      return [{ athlete, rule: "shared-device", says, key: `shared-device ${mark}`, with: other.athlete }];
    });
  });

type Days = { readonly first?: string; readonly last?: string };

/** Whether one athlete stopped using a device before the other one began. */
function isApart(one: Days, other: Days): boolean {
  if (one.first === undefined || one.last === undefined || other.first === undefined || other.last === undefined)
    return false;
  return one.last < other.first || other.last < one.first;
}

function period({ first, last }: Days): string {
  if (first === undefined || last === undefined) return "";
  return first === last ? ` of ${first}` : ` from ${first} to ${last}`;
}

function files(count: number): string {
  return count === 1 ? "1 file" : `${count} files`;
}
