import type { TenantName } from "../../shared/contract/tenant.js";
import type { TenantPlaces } from "../../shared/tenant/tenant-places.js";
import type { Release } from "../flow/keyed-semaphore.js";

/** A quota of whatever tenant a session belongs to. */
export interface QuotaPort {
  /** Waits for a place; `undefined` when too many wait, or none came within `waitMs`. Rejects with the signal's reason when it aborts first. */
  enter(session: string, options: { readonly signal: AbortSignal; readonly waitMs?: number }): Promise<Release | undefined>;
}

export class SessionQuota implements QuotaPort {
  constructor(
    private readonly places: Pick<TenantPlaces, "enter">,
    private readonly tenantOf: (session: string) => TenantName,
  ) {}

  enter(session: string, options: { readonly signal: AbortSignal; readonly waitMs?: number }): Promise<Release | undefined> {
    return this.places.enter(this.tenantOf(session), options);
  }
}

/**
 * A turn among the others of this process, once there is a place of the tenant's quota: whoever waits for the quota holds up nobody else's turn. `undefined` where
 * either line is full.
 */
export async function turnWithin(
  quota: QuotaPort | undefined,
  session: string,
  signal: AbortSignal,
  turn: () => Promise<Release | undefined>,
): Promise<Release | undefined> {
  const place = quota === undefined ? nothing : await quota.enter(session, { signal });
  let release: Release | undefined;
  try {
    release = place && (await turn());
  } finally {
    if (release === undefined) place?.();
  }
  if (release === undefined) return undefined;
  const ended = release;
  return () => {
    ended();
    place?.();
  };
}

const nothing: Release = () => undefined;
