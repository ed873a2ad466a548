export { appleHealth } from "./apple-health/table.ts";
export { csv } from "./csv/connector.ts";
export { deviceFiles } from "./device-files/connector.ts";
export { garmin } from "./garmin/table.ts";
export { logferryExport } from "./logferry-export/connector.ts";
export { nike } from "./nike/table.ts";
export { runkeeper } from "./runkeeper/table.ts";
export { strava } from "./strava/table.ts";
