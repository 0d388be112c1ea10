/** How a request ended. `silent` means that it deliberately gets no response. */
export type Outcome = "answered" | "failed" | "silent";

export interface RunningRequest {
  readonly ended: Promise<Outcome>;
  /** The client cancelled the request, or already got another response. */
  dropped: boolean;
}
