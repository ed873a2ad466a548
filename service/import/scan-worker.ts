/** The thread big uploads are scanned in: gets the bytes of one after the other, answers each with its `DeviceFile`. */
import { parentPort } from "node:worker_threads";
import { decodeDeviceFile } from "../../connectors/formats/device-file.ts";

parentPort?.on("message", (bytes: Uint8Array) => parentPort?.postMessage(decodeDeviceFile(bytes, "scan")));
