/** One download of a file by a bare library. */
export interface BareDownload {
  readonly bytes: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
  /** Empty unless the digest was requested. */
  readonly sha256: string;
}
