import type { CompressionOutcome } from "./compressor.js";

export interface HttpMetrics {
  /** Counts a finished request. `status` is 0 if the client left before the response. */
  requestEnded(route: string, status: number, seconds: number): void;
  connections(open: number): void;
  requestsInProgress(count: number): void;
  /** Sets the number of requests whose caller is not yet known or whose body is incomplete. */
  newcomers(count: number): void;
  /** Counts a rejected request: all places taken, those of its address taken, or the longest wait for a body when room was needed. */
  turnedAway(reason: "busy" | "address" | "body"): void;
  /** Counts a response that was compressed, or sent uncompressed because of load or an error. */
  compressed(outcome: CompressionOutcome): void;
  /** Measures the time from the request to the head and first bytes of its stream. */
  streamStarted(seconds: number): void;
  /** `bytes`: the announced length. `taken`: bytes that went to the socket. */
  streamEnded(end: "sent" | "aborted" | "slow" | "failed", bytes: number, taken: number): void;
}
