/** A piece of equipment on its way in and out. */
import Type from "typebox";
import { withoutEmpty } from "../envelope.ts";
import { ACCUMULATED_DISTANCE_UNIT, RANGES, REQUIRED } from "../gaps.ts";
import { hashOf } from "../ids.ts";
import { type Body, Day, group, saveBody } from "./save-body.ts";

/**
 * The Equipment of the document, as a save takes it. `id`, `brandID`, `modelID` and `distance` are "returned by get and
 * list" and ignored: the distance is what the workouts add up to. Of retirement it says nothing (`RETIRED_HAS_NO_FIELD`).
 */
export const EquipmentBody = saveBody(
  {
    id: Type.Unknown(),
    activityID: Type.Integer(),
    brandID: Type.Unknown(),
    brandName: Type.String(),
    modelID: Type.Unknown(),
    modelName: Type.String(),
    serial: Type.String(),
    gender: Type.String(),
    notes: Type.String(),
    ratings: group({ avgRating: Type.Number(RANGES.rating) }),
    distance: Type.Unknown(),
    purchaseDate: Day,
    price: Type.Number({ minimum: 0 }),
  },
  REQUIRED.equipment,
);
export type EquipmentBody = Body<typeof EquipmentBody>;

/** What is stored. */
export type Equipment = Omit<EquipmentBody, "id" | "brandID" | "modelID" | "distance">;

/** A stored piece with its id and the metres its workouts add up to. */
export interface FoundEquipment {
  readonly id: string;
  readonly equipment: Equipment;
  readonly metres: number;
}

/** From a checked save body to what is stored. */
export function equipmentOf(body: EquipmentBody): Equipment {
  const { id: _id, brandID: _brand, modelID: _model, distance: _distance, ...own } = body;
  return withoutEmpty(own);
}

/** The name a workout shows its equipment by: brand and model, else the serial. */
export function nameOfEquipment(equipment: Equipment): string {
  const name = [equipment.brandName, equipment.modelName].filter((part) => part !== undefined).join(" ");
  return name === "" ? (equipment.serial ?? "") : name;
}

/** The document's Equipment, as a get and the listing return it. */
export function shownEquipment({ id, equipment, metres }: FoundEquipment): object {
  const { activityID, brandName, modelName, ...rest } = equipment;
  return withoutEmpty({
    id,
    activityID,
    brandID: brandName === undefined ? undefined : idOfName(brandName),
    brandName,
    modelID: modelName === undefined ? undefined : idOfName(`${brandName ?? ""}\n${modelName}`),
    modelName,
    ...rest,
    // Whole millimetres: what lies below is noise of adding miles to kilometres.
    distance: { unit: ACCUMULATED_DISTANCE_UNIT, value: Math.round(metres * 1000) / 1000 },
  });
}

/** See `BRAND_AND_MODEL_IDS`. */
function idOfName(name: string): string {
  return hashOf(name).slice(0, 32);
}
