export interface PlannedRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** With a body the request is a POST, else a GET. */
  readonly body?: string;
}

/**
 * One measurement. Without a rate, each connection sends its next request after the last response; with a rate, requests are sent when
 * they are due.
 */
export interface LoadPlan {
  /** The form is `http://host:port`. */
  readonly origin: string;
  readonly connections: number;
  readonly seconds: number;
  /** Number of requests to send. `seconds` is then the time limit. */
  readonly requests?: number;
  /** Connection `i` cycles through the requests of lane `i % lanes.length`. */
  readonly lanes: readonly (readonly PlannedRequest[])[];
  /** Open loop: requests a second over all connections, regardless of their responses. */
  readonly ratePerSecond?: number;
  /** Open loop: 503 is allowed. Such responses are counted, but their latencies are not. */
  readonly mayBeRefused?: boolean;
  /** Returns every latency with the result. */
  readonly keepLatencies?: boolean;
}

/** Measurements of the load process. They cover 2xx responses only; any other status fails the measurement. */
export interface LoadResult {
  readonly requestsPerSecond: number;
  readonly bytesPerSecond: number;
  readonly requests: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Number of 503 responses, if they are allowed. */
  readonly refused?: number;
  /** CPU share of the load process. Near 1, the load process was the limit and not the server. */
  readonly loadCpuShare: number;
  /** Milliseconds, ascending; only if requested with `keepLatencies`. */
  readonly latencies?: readonly number[];
}
