/** One GET of a file. The bytes of the body are counted, and hashed only when `digest` is set. */
export interface PlannedDownload {
  readonly url: string;
  /** Value of the `Range` header. */
  readonly range?: string;
  /** Closes the connection after this many bytes. If absent, the body is read to its end. */
  readonly closeAfterBytes?: number;
  readonly digest?: boolean;
}

/** Each lane runs its downloads one after the other on its own connections. All lanes run at once. */
export interface DownloadPlan {
  readonly lanes: readonly (readonly PlannedDownload[])[];
}

export interface Downloaded {
  readonly status: number;
  readonly bytes: number;
  readonly seconds: number;
  readonly firstByteSeconds: number;
  readonly sha256?: string;
}

export interface DownloadResult {
  readonly lanes: readonly (readonly Downloaded[])[];
  readonly elapsedSeconds: number;
  readonly cpuSeconds: number;
}
