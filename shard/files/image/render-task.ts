import type { ImageFault } from "../media/image-error.js";

/**
 * The tasks of the render process: name, input and output. They hold only bytes, strings and numbers, so that they can be sent between
 * processes.
 */
export interface RenderTasks {
  "text-card": { input: { readonly text: string }; output: Uint8Array };
  "scale-image": { input: ScaleInput; output: ScaledImage };
}

export type RenderTaskName = keyof RenderTasks;
export type RenderInput<T extends RenderTaskName> = RenderTasks[T]["input"];
export type RenderOutput<T extends RenderTaskName> = RenderTasks[T]["output"];

/**
 * `source` is the encoded picture or the path of its file. `maxSide` is in pixels, `quality` that of JPEG (1 to 100). `keepsSmaller`: a
 * good picture whose JPEG would not be smaller is returned as it is.
 */
export interface ScaleInput {
  readonly source: Uint8Array | string;
  readonly maxSide: number;
  readonly quality: number;
  readonly keepsSmaller?: boolean;
  /** Makes a WebP, a transparent square of `maxSide`, instead of a JPEG. */
  readonly asSticker?: boolean;
  /** Cuts the picture's middle to a square of `maxSide`. */
  readonly asSquare?: boolean;
}

/** A JPEG (or a PNG that was kept, or a WebP sticker), its size in pixels, and the upright size of its source. */
export interface ScaledImage {
  readonly bytes: Uint8Array;
  readonly mimetype: "image/jpeg" | "image/png" | "image/webp";
  readonly width: number;
  readonly height: number;
  readonly original: { readonly width: number; readonly height: number };
}

/** One task on its way to the render process. */
export type RenderTask = { [T in RenderTaskName]: { readonly name: T; readonly input: RenderInput<T> } }[RenderTaskName];

/** The outcome of one task. A fault is a value here: an Error would lose its class between threads. */
export type RenderResult =
  | { readonly ok: true; readonly output: RenderOutput<RenderTaskName> }
  | { readonly ok: false; readonly fault: ImageFault; readonly reason: string };

/** The message from the shard to the render process. */
export interface RenderRequest {
  readonly id: number;
  readonly task: RenderTask;
}

/** The message from the render process to the shard: `ready` once, then one for each request. */
export type RenderReply = { readonly kind: "ready" } | { readonly kind: "result"; readonly id: number; readonly result: RenderResult };
