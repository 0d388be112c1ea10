import type { ApiError } from "../../shared/contract/api-error.js";
import type { SessionId } from "../../shared/contract/ids.js";
import { TenantShares } from "../../shared/flow/tenant-shares.js";

export interface InFlightLimits {
  readonly total: number;
  readonly perSession: number;
  /** A session's part shrinks as others come, so that a few that flood never have all (`FairShares`). */
  readonly fair?: true;
}

/** Commands in progress. A session that floods is told so; the others keep their share of the router's 5,000 requests. */
export const commandLimits: InFlightLimits = { total: 5_000, perSession: 256, fair: true };

export interface InFlightLimitOptions {
  readonly limits: InFlightLimits;
  readonly refusal: () => ApiError;
  /** Whether there are several tenants: one alone may have everything. */
  readonly isShared: () => boolean;
  readonly onChange?: (inUse: number) => void;
}

/** Who takes a place. */
export interface InFlightHolder {
  readonly id: SessionId;
  readonly tenant: string;
}

/** Counts work in progress, as a whole, by session and by tenant; past a limit new work is refused, so that neither one session nor one tenant with many can take all. */
export class InFlightLimit {
  private readonly shares: TenantShares;

  constructor(private readonly options: InFlightLimitOptions) {
    this.shares = new TenantShares(() => options.limits.total, options.isShared);
  }

  /** Takes a place; the returned function gives it back and may be called more than once. Throws the refusal when none is free. */
  take(holder: InFlightHolder): () => void {
    const release = this.tryTake(holder);
    if (release === undefined) throw this.options.refusal();
    return release;
  }

  /** `undefined` when no place is free. */
  tryTake({ id, tenant }: InFlightHolder): (() => void) | undefined {
    const { shares } = this;
    const { limits, onChange } = this.options;
    if (shares.total >= limits.total || shares.heldBy(id) >= limits.perSession) return undefined;
    if (limits.fair === true && !shares.sessionMayHaveMore(id)) return undefined;
    if (!shares.tenantMayHaveMore(tenant)) return undefined;
    const release = shares.take({ session: id, tenant });
    onChange?.(shares.total);
    return () => {
      const before = shares.total;
      release();
      if (shares.total !== before) onChange?.(shares.total);
    };
  }
}
