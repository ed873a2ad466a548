/** Steps that the tests of OAuth share: an application that asks, a user who answers, a code that is exchanged. */
import { request } from "node:http";
import { addDemoUser } from "../demo.ts";
import type { ClientCredentials } from "../operator.ts";
import type { Service } from "../server.ts";
import { type Answer, send } from "./client.ts";
import { type Fields, Visitor } from "./visitor.ts";

/** Long enough, and not part of any text that the service writes by itself. */
export const PASSWORD = "canary-password-7313";

/** The web server scenario. */
export const WEB = "https://app.example.com/back";
/** The installed application scenario. */
export const OOB = "urn:ietf:wg:oauth:2.0:oob";
export const LOCALHOST = "http://localhost:4711/back";

/** An application, and a signed-in user. */
export interface Scene {
  readonly application: ClientCredentials;
  readonly visitor: Visitor;
  readonly userId: string;
  readonly login: string;
}

let people = 0;

/** A registered application with all three addresses, and a new user in a browser. */
export async function scene(
  service: Pick<Service, "url" | "operator">,
  redirectURIs: readonly string[] = [WEB, OOB, LOCALHOST],
): Promise<Scene> {
  const application = await service.operator.addApplication({ name: "Split Times", redirectURIs });
  const { userId, login = "" } = await addDemoUser(service, { screenName: `ann${++people}`, password: PASSWORD });
  const visitor = new Visitor(service.url);
  await visitor.signIn(login, PASSWORD);
  return { application, visitor, userId, login };
}

/** The same user and browser, asked by another application. */
export async function askedAgain(service: Service, { visitor, userId, login }: Scene): Promise<Scene> {
  const application = await service.operator.addApplication({
    name: "Split Times",
    redirectURIs: [WEB, OOB, LOCALHOST],
  });
  return { application, visitor, userId, login };
}

/** The path and query of a request for access. Parameters that are "" are left out. */
export function asking(clientId: string, more: Fields = {}): string {
  const all = { response_type: "code", client_id: clientId, redirect_uri: WEB, ...more };
  const pairs = Object.entries(all).filter(([, value]) => value !== "");
  return `/oauth2/authorize?${new URLSearchParams(pairs)}`;
}

/** The user says yes. */
export function allow({ application, visitor }: Scene, more: Fields = {}, form: Fields = {}): Promise<Answer> {
  return visitor.fillIn(asking(application.clientId, more), { decision: "allow", ...form });
}

/** The parameters that an answer sends to the application. Throws when the answer has no redirect. */
export function sentBack({ headers, status, text }: Answer): URLSearchParams {
  if (typeof headers.location !== "string") throw new Error(`No redirect: ${status} ${text}`);
  return new URL(headers.location, "http://nowhere.invalid").searchParams;
}

/** The user says yes, and the application has the code. */
export async function codeOf(from: Scene, more: Fields = {}, form: Fields = {}): Promise<string> {
  const answer = await allow(from, more, form);
  const code = more.redirect_uri === OOB ? /<title>(.*)<\/title>/.exec(answer.text)?.[1] : sentBack(answer).get("code");
  if (code === undefined || code === null) throw new Error(`No code: ${answer.status} ${answer.text}`);
  return code;
}

/** Posts a form to the token endpoint. Fields that are "" are left out. */
export function exchange(url: string, { clientId, clientSecret }: ClientCredentials, more: Fields): Promise<Answer> {
  const all = {
    client_id: clientId,
    client_secret: clientSecret,
    grant_type: "authorization_code",
    redirect_uri: WEB,
    ...more,
  };
  const pairs = Object.entries(all).filter(([, value]) => value !== "");
  return postForm(url, new URLSearchParams(pairs).toString());
}

/** Posts a body to the token endpoint as a form. */
export function postForm(url: string, body: string, headers: Fields = {}): Promise<Answer> {
  const type = { "content-type": "application/x-www-form-urlencoded" };
  return send(url, "POST", "/oauth2/token", { body, headers: { ...type, ...headers } });
}

/** From a consent to a token. */
export async function tokenOf(service: Service, from: Scene, form: Fields = {}): Promise<string> {
  const answer = await exchange(service.url, from.application, { code: await codeOf(from, {}, form) });
  if (answer.status !== 200) throw new Error(`No token: ${answer.status} ${answer.text}`);
  return answer.json.access_token;
}

/** Sends a path exactly as written. A library that understands addresses would change it. */
export function getRaw(url: string, path: string, headers: Fields = {}): Promise<Answer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path, headers, agent: false }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("end", () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text, json: undefined });
      });
    });
    sent.on("error", reject);
    sent.end();
  });
}
