/** The same tasks by the shard's pool (a process and its threads behind it), or by calls of the library in the process itself. */
export type Engine = "pool" | "bare";

export type RenderWork =
  | { readonly kind: "text-card"; readonly texts: readonly string[] }
  | { readonly kind: "scale-image"; readonly picture: Uint8Array };

export type RenderMessage =
  /** `folder` takes the list of fonts and their cache. */
  | { readonly kind: "start"; readonly engine: Engine; readonly folder: string }
  /** `inFlight` tasks at once. */
  | { readonly kind: "run"; readonly work: RenderWork; readonly inFlight: number; readonly seconds: number };

export interface Rendered {
  readonly tasks: number;
  readonly elapsedSeconds: number;
  /** Of the process, its children included. */
  readonly cpuSeconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Bytes of all pictures that came out. */
  readonly bytes: number;
  /** SHA-256 of the first picture: both engines must draw the same. */
  readonly firstDigest: string;
}
