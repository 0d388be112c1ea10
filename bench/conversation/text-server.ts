/** A process that sends and receives texts of several accounts, and takes them over HTTP (`baseline/serve-texts.ts`). */
export interface TextServer {
  readonly pid: number;
  /** The form is `http://host:port`. */
  readonly origin: string;
  usage(): Promise<TextServerUsage>;
  stop(): Promise<void>;
}

/** Since the start of the process. */
export interface TextServerUsage {
  /** Texts that its accounts have received. */
  readonly received: number;
}
