import { FairShares } from "./fair-shares.js";

/** The session and tenant that take a place. */
export interface ShareHolder {
  readonly session: string;
  readonly tenant: string;
}

/** A tenant may hold 15 times as many places as are still free, so that a sixteenth is left for the next tenant. */
const tenantPart = 15;

/**
 * Shares places by session and by tenant, so that neither one session nor one tenant can take all.
 * A tenant without competitors may use all places.
 */
export class TenantShares {
  private readonly bySession: FairShares;
  private readonly byTenant: FairShares;

  /** `isShared`: whether there are several tenants. */
  constructor(
    capacity: () => number,
    private readonly isShared: () => boolean,
  ) {
    this.bySession = new FairShares(capacity);
    this.byTenant = new FairShares(capacity, tenantPart);
  }

  /** Places held. */
  get total(): number {
    return this.bySession.total;
  }

  heldBy(session: string): number {
    return this.bySession.held(session);
  }

  sessionMayHaveMore(session: string): boolean {
    return this.bySession.hasShare(session);
  }

  tenantMayHaveMore(tenant: string): boolean {
    return !this.isShared() || this.byTenant.hasShare(tenant);
  }

  /** Takes a place, even beyond the shares, for callers that must not be refused. The returned function releases the place once. */
  take({ session, tenant }: ShareHolder): () => void {
    const releases = [this.bySession.take(session), this.byTenant.take(tenant)];
    return () => {
      for (const release of releases) release();
    };
  }
}
