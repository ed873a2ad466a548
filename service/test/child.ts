/** A service in a process of its own, for a test to kill. It prints `url` and a token as one JSON line, then serves. */
import { addDemoUser } from "../demo.ts";
import { startService } from "../server.ts";

const [database, token] = process.argv.slice(2);
if (database === undefined) throw new Error("Cannot start: the path or address of the database is missing");
const service = await startService({ database });
console.log(JSON.stringify({ url: service.url, token: token ?? (await addDemoUser(service)).token }));
