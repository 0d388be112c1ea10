import type { CompressionOutcome } from "./compressor.js";

export interface HttpMetrics {
  /** One request is over. `status` is 0 when the client left before the answer. */
  requestEnded(route: string, status: number, seconds: number): void;
  connections(open: number): void;
  requestsInProgress(count: number): void;
  /** Requests of which nobody knows yet who sent them, or whose bodies are not in. */
  newcomers(count: number): void;
  /** A request was not taken in: all places are taken, or those of its address; or it waited longest for its body when room was needed. */
  turnedAway(reason: "busy" | "address" | "body"): void;
  /** An answer was packed, or went out as it is: too much was to be packed already. */
  compressed(outcome: CompressionOutcome): void;
  /** The head and first bytes of a stream went out, so long after its request came. */
  streamStarted(seconds: number): void;
  /** `bytes` is the announced length, `taken` what went to the socket. */
  streamEnded(end: "sent" | "aborted" | "slow" | "failed", bytes: number, taken: number): void;
}
