/**
 * Keeps what Node compiles between two runs: a command then starts in half the time (measured: `--version` in 0.32 s instead of
 * 0.65), and needs 25 MB less, since nothing has to take types off first. Imported before what it is to speed up.
 *
 * It lies in the user's own cache folder: in the common one for temporary files, another user of the machine could put code
 * there for us to run. Where the folder can't be written, Node goes on without.
 */
import module from "node:module";
import { join } from "node:path";

// Missing in an installation that is not whole, which the entry says in its own words.
const paths = await import("env-paths").catch(() => undefined);
// Not there before Node 22.8, under which the entry only looks for a newer one.
if (paths !== undefined) module.enableCompileCache?.(join(paths.default("logferry", { suffix: "" }).cache, "compiled"));
