/**
 * The 17 operations of the interface document, in its order. The table of operations describes each request. `Connection.send` explains the
 * errors.
 */
import * as oauth from "oauth4webapi";
import { FatalError } from "../errors.ts";
import { create, createAll, get, getPage, replace } from "./call.ts";
import type { Connection } from "./connection.ts";
import type { CourseRead, EquipmentRead, PreferenceRead, TrainingPlanRead, UserRead, WorkoutRead } from "./decode.ts";
import {
  decodeCourse,
  decodeEquipment,
  decodePreference,
  decodeTrainingPlan,
  decodeUser,
  decodeWorkout,
} from "./decode.ts";
import { encodeBody } from "./encode.ts";
import { OPERATIONS } from "./operations.ts";
import type { CourseToSave, EquipmentToSave, Page, PreferenceToSave, WorkoutToSave } from "./wire.ts";

/** The data that an application trades for an access token. */
export interface AuthorizationGrant {
  readonly clientId: string;
  readonly clientSecret: string;
  /** The authorization token that the browser brought back. It works once, within 10 minutes. */
  readonly code: string;
  /** "The exact value used in the authorization step." */
  readonly redirectUri: string;
  /** PKCE's proof, if the authorization step sent a challenge. */
  readonly codeVerifier?: string;
}

/** An access token: "no expiration", at most 32 characters. */
export interface AccessToken {
  readonly accessToken: string;
  /** `bearer`. */
  readonly tokenType: string | undefined;
}

/**
 * Trades the authorization token for an access token. The connection needs no token of its own.
 *
 * @throws OAuthRefusal (reason `login`) when the service refuses; FatalError `api/no-token` when it answers without a bearer token
 */
export async function exchangeAuthorizationToken(
  connection: Connection,
  grant: AuthorizationGrant,
  signal: AbortSignal,
): Promise<AccessToken> {
  // The library writes the form and checks the answer. The connection carries both, as it carries everything else.
  const carry = async (_url: string, { body }: { readonly body: URLSearchParams }): Promise<Response> => {
    const form = Object.fromEntries(body);
    const answer = await connection.send(OPERATIONS.exchangeAuthorizationToken, { form }, signal);
    // "`token_type` (string, `bearer`)": if a service leaves it out, it can only mean `bearer`.
    const { access_token, token_type = "bearer" } = answer;
    return Response.json({ access_token, token_type });
  };
  const server: oauth.AuthorizationServer = { issuer: NOWHERE, token_endpoint: NOWHERE };
  const client: oauth.Client = { client_id: grant.clientId };
  try {
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      oauth.ClientSecretPost(grant.clientSecret),
      oauth.validateAuthResponse(server, client, new URLSearchParams({ code: grant.code }), oauth.expectNoState),
      grant.redirectUri,
      grant.codeVerifier ?? oauth.nopkce,
      { [oauth.customFetch]: carry },
    );
    const answer = await oauth.processAuthorizationCodeResponse(server, client, response);
    return { accessToken: answer.access_token, tokenType: answer.token_type };
  } catch (error) {
    if (!(error instanceof oauth.OperationProcessingError || error instanceof oauth.UnsupportedOperationError))
      throw error;
    // The library's error is left out, because its message and cause may repeat the answer.
    const found =
      error instanceof oauth.UnsupportedOperationError ? "a token that is no bearer token" : "no access token";
    throw new FatalError("api/no-token", "login", `Cannot exchange the authorization token: ${found} came back`);
  }
}

/** The library requires an address and doesn't use it. The connection has the real one. */
const NOWHERE = "https://connection.invalid";

const RESOURCES = {
  user: { operation: OPERATIONS.getUser, places: ["data.user", "data", "user"], decode: decodeUser },
  preference: {
    operation: OPERATIONS.getPreference,
    places: ["data.preference", "preference", "data"],
    decode: decodePreference,
  },
  workout: {
    operation: OPERATIONS.getWorkout,
    places: ["data.workout", "workout"],
    tellBy: ["id", "date", "activityID", "activityName"],
    decode: decodeWorkout,
  },
  course: { operation: OPERATIONS.getCourse, places: ["data.course", "course"], decode: decodeCourse },
  equipment: { operation: OPERATIONS.getEquipment, places: ["data.equipment", "equipment"], decode: decodeEquipment },
} as const;

/** Reads the user. @throws FatalError `api/http-403` if the user didn't grant access to private information, and as `get` */
export function getUser(connection: Connection, signal: AbortSignal): Promise<UserRead> {
  return get(connection, RESOURCES.user, {}, signal);
}

/** Reads the user's units and offset. Throws as `get`. */
export function getPreference(connection: Connection, signal: AbortSignal): Promise<PreferenceRead> {
  return get(connection, RESOURCES.preference, {}, signal);
}

/** Writes the user's units and offset. Throws as `Connection.send`. */
export async function savePreference(
  connection: Connection,
  preference: PreferenceToSave,
  signal: AbortSignal,
): Promise<void> {
  await connection.send(OPERATIONS.savePreference, { json: encodeBody("preference", preference) }, signal);
}

/** Reads a whole workout. @throws ItemError `api/gone` when there is none with this id, and as `get` */
export function getWorkout(connection: Connection, id: string, signal: AbortSignal): Promise<WorkoutRead> {
  return get(connection, RESOURCES.workout, { id }, signal);
}

/** Creates a workout. @returns its id. Throws as `create` */
export async function saveNewWorkout(
  connection: Connection,
  workout: WorkoutToSave,
  signal: AbortSignal,
): Promise<string> {
  return create(connection, OPERATIONS.saveNewWorkout, { json: encodeBody("workout", workout) }, signal);
}

/** Replaces a workout. The service may merge or replace, so send the whole workout. @returns its id. Throws as `replace` */
export async function saveExistingWorkout(
  connection: Connection,
  id: string,
  workout: WorkoutToSave,
  signal: AbortSignal,
): Promise<string> {
  return replace(connection, OPERATIONS.saveExistingWorkout, { id, json: encodeBody("workout", workout) }, signal);
}

/** Creates workouts from a device file. Large files are packed here. @returns their ids. Throws as `createAll` */
export function importWorkouts(
  connection: Connection,
  type: "fit" | "gpx" | "tcx",
  file: Uint8Array,
  signal: AbortSignal,
): Promise<readonly string[]> {
  return createAll(connection, OPERATIONS.importWorkouts, { type, file }, signal);
}

/** Reads a whole course, without its map. @throws ItemError `api/gone` when there is none with this id, and as `get` */
export function getCourse(connection: Connection, id: string, signal: AbortSignal): Promise<CourseRead> {
  return get(connection, RESOURCES.course, { id }, signal);
}

/** Creates a course. @returns its id. Throws as `create` */
export async function saveNewCourse(
  connection: Connection,
  course: CourseToSave,
  signal: AbortSignal,
): Promise<string> {
  return create(connection, OPERATIONS.saveNewCourse, { json: encodeBody("course", course) }, signal);
}

/** Replaces a course. Send the whole course. @returns its id. Throws as `replace` */
export async function saveExistingCourse(
  connection: Connection,
  id: string,
  course: CourseToSave,
  signal: AbortSignal,
): Promise<string> {
  return replace(connection, OPERATIONS.saveExistingCourse, { id, json: encodeBody("course", course) }, signal);
}

/** Saves the map of a course. @param gpx GPX 1.0 or 1.1. Throws as `Connection.send` */
export async function saveCourseMap(
  connection: Connection,
  id: string,
  gpx: Uint8Array,
  signal: AbortSignal,
): Promise<void> {
  await connection.send(OPERATIONS.saveCourseMap, { id, type: "gpx", file: gpx }, signal);
}

/** Reads one piece of equipment. @throws ItemError `api/gone` when there is none with this id, and as `get` */
export function getEquipment(connection: Connection, id: string, signal: AbortSignal): Promise<EquipmentRead> {
  return get(connection, RESOURCES.equipment, { id }, signal);
}

/** Creates a piece of equipment. @returns its id. Throws as `create` */
export async function saveNewEquipment(
  connection: Connection,
  equipment: EquipmentToSave,
  signal: AbortSignal,
): Promise<string> {
  return create(connection, OPERATIONS.saveNewEquipment, { json: encodeBody("equipment", equipment) }, signal);
}

/** Replaces a piece of equipment. Send all its fields. @returns its id. Throws as `replace` */
export async function saveExistingEquipment(
  connection: Connection,
  id: string,
  equipment: EquipmentToSave,
  signal: AbortSignal,
): Promise<string> {
  const parts = { id, json: encodeBody("equipment", equipment) };
  return replace(connection, OPERATIONS.saveExistingEquipment, parts, signal);
}

/** The parameters of the equipment listing, besides the token. */
export interface EquipmentQuery {
  /** Only equipment of this activity. On the wire the parameter is called `activityName` and holds the number. */
  readonly activityID?: number;
  /** 1 to 100. The service's default is 50. */
  readonly limit?: number;
  /** 0-based. */
  readonly offset?: number;
  readonly showRetired?: boolean;
}

/** Reads one page of the equipment (`listAllEquipment` reads all pages). Throws as `getPage` */
export function listEquipment(
  connection: Connection,
  query: EquipmentQuery,
  signal: AbortSignal,
): Promise<Page<EquipmentRead>> {
  const { activityID, ...others } = query;
  const parameters = { ...others, activityName: activityID };
  return getPage(connection, OPERATIONS.listEquipment, parameters, decodeEquipment, signal);
}

/**
 * Lists the training plans that the service shows this application: the user's own, and commercial ones that this application made. Throws
 * as `getPage`
 */
export function listTrainingPlans(connection: Connection, signal: AbortSignal): Promise<Page<TrainingPlanRead>> {
  return getPage(connection, OPERATIONS.listTrainingPlans, {}, decodeTrainingPlan, signal);
}
