import { FairShares } from "./fair-shares.js";

/** Who takes a place. */
export interface ShareHolder {
  readonly session: string;
  readonly tenant: string;
}

/** By what is still free: beside others a tenant may have all places but a sixteenth, which the next one finds, and of what is left then again. */
const tenantPart = 15;

/** Places shared out by session and by tenant, so that neither one session nor one tenant with many can take all. A tenant that is alone has all to itself. */
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

  /** Takes a place, also beyond the shares: whoever must not be refused does not ask. The returned function gives it back, once. */
  take({ session, tenant }: ShareHolder): () => void {
    const releases = [this.bySession.take(session), this.byTenant.take(tenant)];
    return () => {
      for (const release of releases) release();
    };
  }
}
