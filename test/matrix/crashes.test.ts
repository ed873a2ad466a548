import { CRASHES } from "./crashes.ts";
import { rehearseRows } from "./row.ts";

rehearseRows(CRASHES.map((row) => ({ ...row, firstTierHas: "test/kill.test.ts: kills at some moments" })));
