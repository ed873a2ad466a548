import { ANSWERS } from "./answers.ts";
import { rehearseRows } from "./row.ts";

rehearseRows(ANSWERS);
