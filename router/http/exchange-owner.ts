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

/** The app as an exchange sees it. */
export interface ExchangeOwner<Exchange = Newcomer> {
  readonly limits: HttpLimits;
  readonly metrics: HttpMetrics;
  readonly slowReaders: SlowReaders;
  readonly audit: Pick<AuditPort, "record" | "refused"> | undefined;
  readonly tracing: Tracing | undefined;
  readonly log: Log;
  /** Limits the log lines of 5xx and 4xx responses separately: a wave of wrong keys must not hide a failure. */
  readonly failureLines: Pick<LineBudget, "take">;
  readonly rejectionLines: Pick<LineBudget, "take">;
  /** True when responses close their connections: the process stops, or many connections are open. */
  readonly closesConnections: boolean;
  readonly compressor: Pick<Compressor, "compress">;
  /** Decides which pages may read responses. */
  readonly cors: Pick<CorsRules, "linesFor">;
  /** Returns the address that the request counts against. */
  callerOf(peer: string, headers: HeaderReader): string;
  /** Called when the caller is known and the body is complete, or the client has left. */
  takenIn(exchange: Exchange): void;
  /** Called once, when the response is over. */
  ended(exchange: Exchange): void;
}
