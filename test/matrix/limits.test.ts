import { LIMITS } from "./limits.ts";
import { rehearseRows } from "./row.ts";

rehearseRows(LIMITS);
