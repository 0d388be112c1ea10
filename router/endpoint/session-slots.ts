import type { ApiError } from "../../shared/contract/api-error.js";
import type { SessionId } from "../../shared/contract/ids.js";
import { ChurningMap } from "../../shared/process/churning-map.js";

export interface SlotLimits {
  readonly total: number;
  readonly perSession: number;
}

/** Commands in progress. A session that floods is told so; the others keep their share of the router's 5,000 requests. */
export const commandLimits: SlotLimits = { total: 5_000, perSession: 256 };

/** Counts work in progress, as a whole and by session; past a limit new work is refused, so that one session cannot take all. */
export class SessionSlots {
  private total = 0;
  private readonly bySession = new ChurningMap<SessionId, number>();

  constructor(
    private readonly limits: SlotLimits,
    private readonly refusal: () => ApiError,
    private readonly onChange: (inUse: number) => void = () => {},
  ) {}

  /** Takes a slot; the returned function gives it back and may be called more than once. Throws the refusal when none is free. */
  take(session: SessionId): () => void {
    const release = this.tryTake(session);
    if (release === undefined) throw this.refusal();
    return release;
  }

  /** `undefined` when no slot is free. */
  tryTake(session: SessionId): (() => void) | undefined {
    const ofSession = this.bySession.get(session) ?? 0;
    if (this.total >= this.limits.total || ofSession >= this.limits.perSession) return undefined;
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
