import { JOURNAL } from "./journal.ts";
import { rehearseRows } from "./row.ts";

rehearseRows(JOURNAL);
