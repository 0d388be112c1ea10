export interface PlannedRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** With a body it is a POST, else a GET. */
  readonly body?: string;
}

/** One measurement: connections that each send their next request when the last one is answered; with a rate, requests that are sent when they are due. */
export interface LoadPlan {
  /** `http://host:port` */
  readonly origin: string;
  readonly connections: number;
  readonly seconds: number;
  /** So many requests, however long they take; `seconds` is what may pass at most. */
  readonly requests?: number;
  /** Connection `i` goes round the requests of lane `i % lanes.length`. */
  readonly lanes: readonly (readonly PlannedRequest[])[];
  /** Open loop: so many requests a second over all connections, whatever becomes of them. */
  readonly ratePerSecond?: number;
  /** Open loop: 503 is an answer too; how many there were is told, and nothing else of them. */
  readonly mayBeRefused?: boolean;
  /** Every latency comes with the result. */
  readonly keepLatencies?: boolean;
}

/** What the load process saw. Only 2xx answers are in it; anything else makes the measurement fail. */
export interface LoadResult {
  readonly requestsPerSecond: number;
  readonly bytesPerSecond: number;
  readonly requests: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Answers of 503, where they are allowed. */
  readonly refused?: number;
  /** CPU of the load process by time: near 1 it, and not the server, was the limit. */
  readonly loadCpuShare: number;
  /** Milliseconds, ascending; only when they were asked for. */
  readonly latencies?: readonly number[];
}
