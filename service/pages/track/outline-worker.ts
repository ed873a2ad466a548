/** The thread that outlines tracks. It gets one file after the other, and answers each with its `Outline`. */
import { parentPort } from "node:worker_threads";
import { decodeDeviceFile } from "../../../connectors/formats/device-file.ts";
import type { Point } from "../../../connectors/formats/recording.ts";
import { drawOutline, type Outline } from "./outline.ts";

/** A file, still packed, and the part of it to outline. */
export interface OutlineWork {
  readonly packed: Uint8Array;
  /** Number of the recording, from 0; undefined for a course's map: every track of the file, or else every route. */
  readonly recording: number | undefined;
  /** Metres of a kilometre or mile. */
  readonly unitMetres: number;
}

/** The thread's answer; undefined when the file has no such recording, or the recording has no point. */
export type OutlineAnswer = Outline | undefined;

parentPort?.on("message", (work: OutlineWork) => parentPort?.postMessage(answerTo(work)));

function answerTo({ packed, recording, unitMetres }: OutlineWork): OutlineAnswer {
  const file = decodeDeviceFile(packed, "decode");
  const recordings = recording === undefined ? file.recordings : file.recordings.slice(recording, recording + 1);
  const lines = recording === undefined && recordings.every((one) => one.positionCount < 2) ? file.routes : recordings;
  const points = lines.flatMap((line) => withBreak(line.points ?? []));
  return points.length === 0 ? undefined : drawOutline(points, unitMetres);
}

/** A break keeps the end of one track apart from the beginning of the next: no line joins them. */
function withBreak([first, ...rest]: readonly Point[]): readonly Point[] {
  return first === undefined ? [] : [{ ...first, breakBefore: true }, ...rest];
}
