export { csv } from "./csv/connector.ts";
export { deviceFiles } from "./device-files/connector.ts";
export { logferryExport } from "./logferry-export/connector.ts";
export { strava } from "./strava/connector.ts";
