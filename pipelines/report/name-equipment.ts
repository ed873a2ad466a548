/** Names a piece of equipment for people. */
import type { Equipment } from "../../transforms/model/equipment.ts";
import { printable } from "../../transforms/text/printable.ts";

/** `Nike Pegasus, serial B-2`. Two pairs of one model are different equipment. The serial and the day of purchase distinguish them. */
export function nameEquipment({ activity, brandName, modelName, serial, purchaseDate }: Equipment): string {
  const called = [brandName, modelName].filter((part) => part !== undefined && part !== "").join(" ");
  const more = [serial && `serial ${serial}`, purchaseDate && `bought ${purchaseDate}`].filter((part) => part);
  return [called === "" ? `${activity} equipment without a name` : called, ...more]
    .map((part) => printable(part ?? "", 80))
    .join(", ");
}
