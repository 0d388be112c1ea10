/** One GET of a file; the body is counted, and looked at only when its digest is wanted. */
export interface PlannedDownload {
  readonly url: string;
  /** Value of the `Range` header. */
  readonly range?: string;
  /** The connection is closed as soon as so many bytes have come; without it the body is read to its end. */
  readonly closeAfterBytes?: number;
  readonly digest?: boolean;
}

/** Each lane runs its downloads one after the other on connections of their own; all lanes at once. */
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
