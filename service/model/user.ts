/** The owner of a log and a training plan. The interface only reads them, so operators write them. */
import Type from "typebox";
import { Preference } from "./preference.ts";
import { type Body, Day, group, saveBody } from "./save-body.ts";

/** Private information of a user. `birthDate` is `YYYY-MM-DD`. */
export const Person = group({
  birthDate: Type.String({ format: "date", description: "A day, YYYY-MM-DD" }),
  email: Type.String(),
  givenName: Type.String(),
  familyName: Type.String(),
  gender: Type.String(),
});
export type Person = Readonly<Body<typeof Person>>;

/** The profile, without the preference, which is stored separately. */
export interface Profile {
  readonly screenName: string;
  readonly person?: Person;
}

/** The most characters in a text of the profile. */
export const MOST_CHARACTERS = 200;

const Text = Type.String({ maxLength: MOST_CHARACTERS });

/** The profile as its owner writes it. The document doesn't show "how it is written". So the interface has no such operation, and a page does it. */
export const ProfileBody = saveBody(
  { screenName: Text, givenName: Text, familyName: Text, email: Text, birthDate: Day, gender: Text },
  ["screenName"],
);

/** The User of the document, as "Get user" returns it. */
export const User = saveBody({ screenName: Type.String(), person: Person, preference: Preference }, ["screenName"]);
export type User = Body<typeof User>;

/** The TrainingPlan of the document. A plan is commercial, private or neither. */
export const TrainingPlan = saveBody(
  {
    id: Type.String(),
    name: Type.String(),
    beginDate: Type.String({ format: "date", description: "A day, YYYY-MM-DD" }),
    endDate: Type.String({ format: "date", description: "A day, YYYY-MM-DD" }),
    numWeeks: Type.Integer(),
    attributes: group({ commercial: Type.Boolean(), private: Type.Boolean() }),
  },
  ["id", "name"],
);
export type TrainingPlan = Readonly<Body<typeof TrainingPlan>>;
