import type { ApiError } from "../../shared/contract/api-error.js";
import type { SessionId } from "../../shared/contract/ids.js";
import { FairShares } from "../../shared/flow/fair-shares.js";

export interface SlotLimits {
  readonly total: number;
  readonly perSession: number;
  /** A session's part shrinks as others come, so that a few that flood never have all (`FairShares`). */
  readonly fair?: true;
}

/** Commands in progress. A session that floods is told so; the others keep their share of the router's 5,000 requests. */
export const commandLimits: SlotLimits = { total: 5_000, perSession: 256, fair: true };

/** Counts work in progress, as a whole and by session; past a limit new work is refused, so that one session cannot take all. */
export class SessionSlots {
  private readonly shares: FairShares;

  constructor(
    private readonly limits: SlotLimits,
    private readonly refusal: () => ApiError,
    private readonly onChange: (inUse: number) => void = () => {},
  ) {
    this.shares = new FairShares(() => limits.total);
  }

  /** Takes a slot; the returned function gives it back and may be called more than once. Throws the refusal when none is free. */
  take(session: SessionId): () => void {
    const release = this.tryTake(session);
    if (release === undefined) throw this.refusal();
    return release;
  }

  /** `undefined` when no slot is free. */
  tryTake(session: SessionId): (() => void) | undefined {
    const { shares, limits } = this;
    if (shares.total >= limits.total || shares.held(session) >= limits.perSession) return undefined;
    if (limits.fair === true && !shares.hasShare(session)) return undefined;
    const release = shares.take(session);
    this.onChange(shares.total);
    return () => {
      const before = shares.total;
      release();
      if (shares.total !== before) this.onChange(shares.total);
    };
  }
}
