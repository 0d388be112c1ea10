import type { LineBudget } from "../../shared/log/line-budget.js";
import type { Log } from "../../shared/log/logger.js";
import type { Tracing } from "../../shared/process/trace/tracing.js";
import type { AuditPort } from "./audit-port.js";
import type { Compressor } from "./compressor.js";
import type { CorsRules } from "./cors-rules.js";
import type { HttpMetrics } from "./http-metrics.js";
import type { HttpLimits } from "./limits.js";
import type { Newcomer } from "./newcomers.js";
import type { HeaderReader } from "./request.js";
import type { SlowReaders } from "./slow-readers.js";

/** What an exchange needs of the app. */
export interface ExchangeOwner<Exchange = Newcomer> {
  readonly limits: HttpLimits;
  readonly metrics: HttpMetrics;
  readonly slowReaders: SlowReaders;
  readonly audit: Pick<AuditPort, "record" | "refused"> | undefined;
  readonly tracing: Tracing | undefined;
  readonly log: Log;
  /** Limit the lines of 5xx and of 4xx answers apart: a wave of wrong keys must not hide a failure. */
  readonly failureLines: Pick<LineBudget, "take">;
  readonly rejectionLines: Pick<LineBudget, "take">;
  /** Answers end their connections: the process stops, or has many open. */
  readonly closesConnections: boolean;
  readonly compressor: Pick<Compressor, "compress">;
  /** Which pages may read answers. */
  readonly cors: Pick<CorsRules, "linesFor">;
  /** Whose share a request takes. */
  callerOf(peer: string, headers: HeaderReader): string;
  /** Its caller is known and its body is in, or its client has left. */
  takenIn(exchange: Exchange): void;
  /** The response is over. Called once. */
  ended(exchange: Exchange): void;
}
