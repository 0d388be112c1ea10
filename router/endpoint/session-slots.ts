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

export interface SessionSlotsOptions {
  readonly limits: SlotLimits;
  readonly refusal: () => ApiError;
  /** Whether there are several tenants: one alone may have everything. */
  readonly isShared: () => boolean;
  readonly onChange?: (inUse: number) => void;
}

/** Who takes a slot. */
export interface SlotHolder {
  readonly id: SessionId;
  readonly tenant: string;
}

/** Beside others a tenant may have all slots but a sixteenth, which the next one finds, and of what is left then again. */
const tenantPart = 15;

/** Counts work in progress, as a whole, by session and by tenant; past a limit new work is refused, so that neither one session nor one tenant with many can take all. */
export class SessionSlots {
  private readonly bySession: FairShares;
  private readonly byTenant: FairShares;

  constructor(private readonly options: SessionSlotsOptions) {
    const { total } = options.limits;
    this.bySession = new FairShares(() => total);
    this.byTenant = new FairShares(() => total, tenantPart);
  }

  /** Takes a slot; the returned function gives it back and may be called more than once. Throws the refusal when none is free. */
  take(holder: SlotHolder): () => void {
    const release = this.tryTake(holder);
    if (release === undefined) throw this.options.refusal();
    return release;
  }

  /** `undefined` when no slot is free. */
  tryTake({ id, tenant }: SlotHolder): (() => void) | undefined {
    const { bySession, byTenant } = this;
    const { limits, isShared, onChange } = this.options;
    if (bySession.total >= limits.total || bySession.held(id) >= limits.perSession) return undefined;
    if (limits.fair === true && !bySession.hasShare(id)) return undefined;
    if (isShared() && !byTenant.hasShare(tenant)) return undefined;
    const releases = [bySession.take(id), byTenant.take(tenant)];
    onChange?.(bySession.total);
    return () => {
      const before = bySession.total;
      for (const release of releases) release();
      if (bySession.total !== before) onChange?.(bySession.total);
    };
  }
}
