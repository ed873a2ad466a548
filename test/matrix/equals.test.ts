import { EQUALS } from "./equals.ts";
import { rehearseRows } from "./row.ts";

rehearseRows(EQUALS);
