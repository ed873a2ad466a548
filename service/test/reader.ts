/** A user who looks at the pages of their own log. */
import { addDemoUser, type DemoOptions } from "../demo.ts";
import type { Service } from "../server.ts";
import { type Sending, send } from "./client.ts";
import { unescaped, Visitor } from "./visitor.ts";

/** The password of readers. */
export const PASSWORD = "correct horse battery";

/** A signed-in user, with a token to fill the log with. */
export interface Reader {
  readonly userId: string;
  readonly token: string;
  readonly login: string;
  readonly visitor: Visitor;
  /** Posts to the log. Throws when the answer isn't a success. @returns the id, or the first of the ids */
  save(path: string, body: Sending["body"]): Promise<string>;
  /** The text of a page. Throws when the status isn't 200. */
  read(path: string): Promise<string>;
}

/** A new user of a service, signed in. */
export async function reader(log: Service, options: DemoOptions = {}): Promise<Reader> {
  const { userId, token, login = "" } = await addDemoUser(log, { password: PASSWORD, ...options });
  const visitor = new Visitor(log.url);
  await visitor.signIn(login, PASSWORD);
  return {
    userId,
    token,
    login,
    visitor,
    async save(path, body) {
      const answer = await send(log.url, "POST", path, { query: { access_token: token }, ...(body && { body }) });
      if (answer.status !== 200) throw new Error(`POST ${path} was answered ${answer.status} ${answer.text}`);
      return answer.json.data.id ?? answer.json.data.ids?.[0];
    },
    async read(path) {
      const answer = await visitor.get(path);
      if (answer.status !== 200) throw new Error(`GET ${path} was answered ${answer.status}`);
      return textOf(answer.text);
    },
  };
}

/** The text of a page without its elements, with blanks folded. */
export function textOf(page: string): string {
  const body = page.slice(page.indexOf("<main"));
  return unescaped(body.replace(/<[^>]*>/g, " ")).replace(/\s+/g, " ");
}

/** A GPX track from places and seconds, heart rates and heights where given. */
export function gpx(
  points: readonly { lat: number; lon: number; s?: number; hr?: number; ele?: number }[],
  start = "2024-05-02T06:00:00Z",
): string {
  const shown = points.map(({ lat, lon, s, hr, ele }) => {
    const time = s === undefined ? "" : `<time>${new Date(Date.parse(start) + s * 1000).toISOString()}</time>`;
    const height = ele === undefined ? "" : `<ele>${ele}</ele>`;
    const heart =
      hr === undefined
        ? ""
        : `<extensions><g:TrackPointExtension xmlns:g="http://www.garmin.com/xmlschemas/TrackPointExtension/v1"><g:hr>${hr}</g:hr></g:TrackPointExtension></extensions>`;
    return `<trkpt lat="${lat}" lon="${lon}">${height}${time}${heart}</trkpt>`;
  });
  return `<?xml version="1.0"?><gpx version="1.1" creator="test" xmlns="http://www.topografix.com/GPX/1/1"><trk><type>running</type><trkseg>${shown.join("")}</trkseg></trk></gpx>`;
}
