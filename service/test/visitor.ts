/** A browser without a display: it keeps cookies, fills forms in, and never follows a redirect by itself. */
import { type Answer, type Sending, send } from "./client.ts";

/** The values to fill in, by name. */
export type Fields = Readonly<Record<string, string>>;

/** A form of a page: its address, and its values before the visitor fills it in. */
export interface Form {
  readonly action: string;
  readonly fields: Fields;
}

/** A visitor of a service, with a cookie jar. */
export class Visitor {
  readonly url: string;
  readonly cookies = new Map<string, string>();

  constructor(url: string) {
    this.url = url;
  }

  /** Sends one request with the cookies, and keeps the cookies of the answer. */
  async send(method: string, path: string, sending: Sending = {}): Promise<Answer> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { ...(cookie !== "" && { cookie }), ...sending.headers };
    const answer = await send(this.url, method, path, { ...sending, headers });
    for (const line of [answer.headers["set-cookie"] ?? []].flat()) {
      const [, name = "", value = ""] = /^([^=;]+)=([^;]*)/.exec(line) ?? [];
      if (/; *Max-Age=0|; *Expires=Thu, 01 Jan 1970/i.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return answer;
  }

  get(path: string, headers: Fields = {}): Promise<Answer> {
    return this.send("GET", path, { headers });
  }

  /** Sends a form as a browser does. */
  post(path: string, fields: Fields, headers: Fields = {}): Promise<Answer> {
    const body = new URLSearchParams(fields).toString();
    return this.send("POST", path, {
      body,
      headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    });
  }

  /** Fills in the form of a page and sends it. `path` is the page's address. */
  async fillIn(path: string, fields: Fields, which = 0): Promise<Answer> {
    const page = await this.get(path);
    const form = formsOf(page.text)[which];
    if (form === undefined)
      throw new Error(`GET ${path} was answered ${page.status} without such a form: ${page.text}`);
    return this.post(form.action === "" ? path : form.action, { ...form.fields, ...fields });
  }

  signIn(login: string, password: string, next?: string): Promise<Answer> {
    const query = next === undefined ? "" : `?next=${encodeURIComponent(next)}`;
    return this.fillIn(`/sign-in${query}`, { login, password });
  }
}

/** Every form of a page, with the values of its inputs. Boxes that aren't ticked are left out, and so are buttons. */
export function formsOf(page: string): readonly Form[] {
  return [...page.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)].map(([, attributes = "", inside = ""]) => {
    const fields: Record<string, string> = {};
    for (const [, input = ""] of inside.matchAll(/<input\b([^>]*)>/g)) {
      const name = attributeOf(input, "name");
      const isOff = attributeOf(input, "type") === "checkbox" && !/\bchecked\b/.test(input);
      if (name !== undefined && !isOff) fields[name] = attributeOf(input, "value") ?? "on";
    }
    return { action: attributeOf(attributes, "action") ?? "", fields };
  });
}

function attributeOf(text: string, name: string): string | undefined {
  const value = new RegExp(`\\b${name}="([^"]*)"`).exec(text)?.[1];
  return value === undefined ? undefined : unescaped(value);
}

const CHARACTERS: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', "#39": "'", amp: "&" };

/** Text of a page as a person reads it. */
export function unescaped(text: string): string {
  return text.replace(/&(lt|gt|quot|#39|amp);/g, (_whole, name: string) => CHARACTERS[name] as string);
}
