import { CONNECTION } from "./connection.ts";
import { rehearseRows } from "./row.ts";

rehearseRows(CONNECTION);
