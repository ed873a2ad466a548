/** The thread that scans big uploads. It gets the bytes of one file after the other, and answers each with its `DeviceFile`. */
import { parentPort } from "node:worker_threads";
import { decodeDeviceFile } from "../../connectors/formats/device-file.ts";

parentPort?.on("message", (bytes: Uint8Array) => parentPort?.postMessage(decodeDeviceFile(bytes, "scan")));
