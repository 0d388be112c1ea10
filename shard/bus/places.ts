import type { ClusterTiming } from "../../shared/cluster/cluster-timing.js";
import { TenantShares } from "../../shared/flow/tenant-shares.js";
import { InFlightCommands } from "./in-flight.js";

export interface PlacesOptions {
  /** Most commands that may be here at once. */
  most: () => number;
  /** The tenant that owns the session. */
  tenantOf: (session: string) => string;
  /** Whether sessions of several tenants live here. A single tenant may use all places. */
  isShared: () => boolean;
  timing?: ClusterTiming | undefined;
}

/** Places of the commands in flight, wherever they come from. Tenants and sessions share them. */
export class Places {
  readonly inFlight: InFlightCommands;
  private readonly shares: TenantShares;

  constructor(private readonly options: PlacesOptions) {
    this.inFlight = new InFlightCommands(options.timing);
    this.shares = new TenantShares(options.most, options.isShared);
  }

  get isFree(): boolean {
    return this.inFlight.size < this.options.most();
  }

  /**
   * Returns the release function of a place, or `undefined` when the session or its tenant has used its share. A command that is not
   * `refusable`, because it may have begun elsewhere, gets a place in any case.
   */
  take(session: string, refusable: boolean): (() => void) | undefined {
    const tenant = this.options.tenantOf(session);
    if (refusable && !(this.shares.sessionMayHaveMore(session) && this.shares.tenantMayHaveMore(tenant))) return undefined;
    return this.shares.take({ session, tenant });
  }
}
