/**
 * The files from outside this project, in `../shared` beside the repository. Only tests in `test/corpus` read them. Where the folder is absent, as in
 * a user's clone, `vitest.config.ts` leaves those tests out and says so.
 */
import { join } from "node:path";

const SHARED = join(import.meta.dirname, "..", "..", "..", "shared");

/** Device files, and the values that independent decoders agree on. */
export const CORPUS = join(SHARED, "corpus");

/** Exports of other platforms. */
export const SAMPLES = join(SHARED, "samples");

/** The interface document. */
export const DOCUMENT = join(SHARED, "interface", "training-log-service.md");
