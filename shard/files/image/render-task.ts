import type { ImageFault } from "../media/image-error.js";

/** What the render process can do: name, what enters, what leaves. Only bytes, strings and numbers, so that all of it travels between processes. */
export interface RenderTasks {
  "text-card": { input: { readonly text: string }; output: Uint8Array };
  "scale-image": { input: ScaleInput; output: ScaledImage };
}

export type RenderTaskName = keyof RenderTasks;
export type RenderInput<T extends RenderTaskName> = RenderTasks[T]["input"];
export type RenderOutput<T extends RenderTaskName> = RenderTasks[T]["output"];

/**
 * `source` is the encoded picture or the path of a file that holds it. `maxSide` is in pixels, `quality` that of JPEG (1 to 100). `keepsSmaller`: a
 * picture that is good as it is, and would only grow, is handed back as it was.
 */
export interface ScaleInput {
  readonly source: Uint8Array | string;
  readonly maxSide: number;
  readonly quality: number;
  readonly keepsSmaller?: boolean;
}

/** A JPEG (a PNG only where one was kept), its size in pixels, and that of what it was made of, upright. */
export interface ScaledImage {
  readonly bytes: Uint8Array;
  readonly mimetype: "image/jpeg" | "image/png";
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

/** Shard to render process. */
export interface RenderRequest {
  readonly id: number;
  readonly task: RenderTask;
}

/** Render process to shard: `ready` once, then one answer for each request. */
export type RenderAnswer = { readonly kind: "ready" } | { readonly kind: "result"; readonly id: number; readonly result: RenderResult };
