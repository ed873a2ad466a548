import { IMPORT_ROWS } from "./imports.ts";
import { rehearseRows } from "./row.ts";

rehearseRows(IMPORT_ROWS);
