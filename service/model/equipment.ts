/** A piece of equipment, as saved and as shown. */
import Type from "typebox";
import { BOUNDS, RANGES, REQUIRED } from "../gaps.ts";
import { withoutEmpty } from "../http/envelope.ts";
import { hashOf } from "../http/ids.ts";
import { AccumulatedDistance, accumulated } from "./measure.ts";
import { type Body, Day, ForDisplay, group, saveBody } from "./save-body.ts";
import { Notes, ShortText } from "./texts.ts";

/** The members with the same form in a save and a get. */
const SAME_BOTH_WAYS = {
  activityID: Type.Integer(RANGES.count),
  brandName: Type.String(),
  modelName: Type.String(),
  serial: Type.String(),
  gender: Type.String(),
  notes: Type.String(),
  ratings: group({ avgRating: Type.Number(RANGES.rating) }),
  purchaseDate: Day,
  price: Type.Number(BOUNDS.price),
};

/**
 * The Equipment of the document, as a save takes it. `id`, `brandID`, `modelID` and `distance` are "returned by get and list" and
 * ignored: the distance is the sum of the workouts. No member tells whether the piece is retired (`RETIRED_HAS_NO_FIELD`).
 */
export const EquipmentBody = saveBody(
  {
    id: ForDisplay,
    brandID: ForDisplay,
    modelID: ForDisplay,
    distance: ForDisplay,
    ...SAME_BOTH_WAYS,
    brandName: ShortText,
    modelName: ShortText,
    serial: ShortText,
    gender: ShortText,
    notes: Notes,
  },
  REQUIRED.equipment,
);
export type EquipmentBody = Body<typeof EquipmentBody>;

/** The Equipment of the document, as a get and the listing return it. */
export const ShownEquipment = saveBody(
  {
    id: Type.String(),
    brandID: Type.String(),
    modelID: Type.String(),
    distance: AccumulatedDistance,
    ...SAME_BOTH_WAYS,
  },
  ["id", "activityID", "distance"],
);
export type ShownEquipment = Body<typeof ShownEquipment>;

/** The stored piece. */
export type Equipment = Omit<EquipmentBody, "id" | "brandID" | "modelID" | "distance">;

/** A stored piece with its id and the total metres of its workouts. */
export interface FoundEquipment {
  readonly id: string;
  readonly equipment: Equipment;
  readonly metres: number;
}

/** Turns a checked save body into the stored piece. */
export function toEquipment(body: EquipmentBody): Equipment {
  const { id: _id, brandID: _brand, modelID: _model, distance: _distance, ...own } = body;
  return withoutEmpty(own);
}

/** The display name of equipment in a workout: brand and model, else the serial. */
export function nameOfEquipment(equipment: Equipment): string {
  const name = [equipment.brandName, equipment.modelName].filter((part) => part !== undefined).join(" ");
  return name === "" ? (equipment.serial ?? "") : name;
}

/** The document's Equipment, as a get and the listing return it. */
export function shownEquipment({ id, equipment, metres }: FoundEquipment): ShownEquipment {
  const { activityID, brandName, modelName, ...rest } = equipment;
  return withoutEmpty({
    id,
    activityID,
    brandID: brandName === undefined ? undefined : idOfName(brandName),
    brandName,
    modelID: modelName === undefined ? undefined : idOfName(`${brandName ?? ""}\n${modelName}`),
    modelName,
    ...rest,
    distance: accumulated(metres),
  }) as ShownEquipment;
}

/** See `BRAND_AND_MODEL_IDS`. */
function idOfName(name: string): string {
  return hashOf(name).slice(0, 32);
}
