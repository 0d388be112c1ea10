/** How a request ended: `silent` means that it gets no answer, on purpose. */
export type Outcome = "answered" | "failed" | "silent";

export interface RunningRequest {
  readonly ended: Promise<Outcome>;
  /** The client gave up the answer, or was already told something else. */
  dropped: boolean;
}
