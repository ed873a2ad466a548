import { PROCESSES } from "./processes.ts";
import { rehearseRows } from "./row.ts";

rehearseRows(PROCESSES);
