import { CRASHES } from "./crashes.ts";
import { rehearseRows } from "./row.ts";

rehearseRows(CRASHES);
