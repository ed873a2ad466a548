import { ACCESS } from "./access.ts";
import { rehearseRows } from "./row.ts";

rehearseRows(ACCESS);
