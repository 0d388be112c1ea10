import type { ApiError } from "../../shared/contract/api-error.js";
import type { SessionId } from "../../shared/contract/ids.js";
import { TenantShares } from "../../shared/flow/tenant-shares.js";

export interface InFlightLimits {
  readonly total: number;
  readonly perSession: number;
  /** A session's share shrinks as other sessions come, so that a few busy sessions never take all places (`FairShares`). */
  readonly fair?: true;
}

/**
 * Limits of commands in progress. A session that floods is rejected alone, and the others keep their share of the router's 5,000 requests.
 */
export const commandLimits: InFlightLimits = { total: 5_000, perSession: 256, fair: true };

export interface InFlightLimitOptions {
  readonly limits: InFlightLimits;
  readonly refusal: () => ApiError;
  /** Returns whether there are several tenants. A single tenant may take all places. */
  readonly isShared: () => boolean;
  readonly onChange?: (inUse: number) => void;
}

/** Session and tenant that take a place. */
export interface InFlightHolder {
  readonly id: SessionId;
  readonly tenant: string;
}

/** Limits work in progress in total, per session and per tenant, so that no session and no tenant can take all places. */
export class InFlightLimit {
  private readonly shares: TenantShares;

  constructor(private readonly options: InFlightLimitOptions) {
    this.shares = new TenantShares(() => options.limits.total, options.isShared);
  }

  /** Takes a place and returns an idempotent release function. Throws the refusal when no place is free. */
  take(holder: InFlightHolder): () => void {
    const release = this.tryTake(holder);
    if (release === undefined) throw this.options.refusal();
    return release;
  }

  /** Does the same, but returns `undefined` when no place is free. */
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
