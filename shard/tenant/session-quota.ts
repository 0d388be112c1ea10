import type { TenantName } from "../../shared/contract/tenant.js";
import type { TenantPlaces } from "../../shared/tenant/tenant-places.js";
import type { Release } from "../flow/keyed-semaphore.js";

/** The quota of the tenant that owns a session. */
export interface QuotaPort {
  /**
   * Waits for a place. Returns `undefined` when too many wait, or none is free within `waitMs`. Rejects with the signal's reason when it
   * aborts first.
   */
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
 * Takes a place of the tenant's quota, then a turn of this process. Callers that wait for their quota hold up no other tenant's turn.
 * Returns `undefined` when either queue is full.
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
