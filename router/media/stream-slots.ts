import type { SessionId } from "../../shared/contract/ids.js";
import * as errors from "../../shared/contract/telegram/errors.js";

export interface StreamLimits {
  /** Media streams of this router: each may hold two chunks, so 400 streams are 400 MiB. */
  readonly total: number;
  readonly perSession: number;
}

/** Reliability sheet 2.7. */
export const defaultStreamLimits: StreamLimits = { total: 400, perSession: 16 };

/** Counts open media streams; past a limit a new one is answered 503 `server busy`. */
export class StreamSlots {
  private total = 0;
  private readonly bySession = new Map<SessionId, number>();

  constructor(
    private readonly limits: StreamLimits,
    private readonly onChange: (open: number) => void,
  ) {}

  /** Takes a slot; the returned function gives it back and may be called more than once. */
  take(session: SessionId): () => void {
    const ofSession = this.bySession.get(session) ?? 0;
    if (this.total >= this.limits.total || ofSession >= this.limits.perSession) throw errors.serverBusy();
    this.bySession.set(session, ofSession + 1);
    this.onChange(++this.total);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      const left = (this.bySession.get(session) ?? 1) - 1;
      if (left > 0) this.bySession.set(session, left);
      else this.bySession.delete(session);
      this.onChange(--this.total);
    };
  }
}
