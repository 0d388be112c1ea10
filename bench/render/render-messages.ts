/** `pool`: tasks run in the shard's pool, a process with threads. `bare`: tasks are calls of the library in this process. */
export type Engine = "pool" | "bare";

export type RenderWork =
  | { readonly kind: "text-card"; readonly texts: readonly string[] }
  | { readonly kind: "scale-image"; readonly picture: Uint8Array };

export type RenderMessage =
  /** `folder` receives the list of fonts and their cache. */
  | { readonly kind: "start"; readonly engine: Engine; readonly folder: string }
  /** Runs `inFlight` tasks at once. */
  | { readonly kind: "run"; readonly work: RenderWork; readonly inFlight: number; readonly seconds: number };

export interface Rendered {
  readonly tasks: number;
  readonly elapsedSeconds: number;
  /** CPU of the process and its children. */
  readonly cpuSeconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Bytes of all resulting pictures. */
  readonly bytes: number;
  /** SHA-256 of the first picture, because both engines must draw the same. */
  readonly firstDigest: string;
}
