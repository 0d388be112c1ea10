import type { TenantName } from "../../shared/contract/tenant.js";
import type { ReleasePlace } from "../../shared/tenant/place-budget.js";
import type { TenantPlaces } from "../../shared/tenant/tenant-places.js";
import type { DestinationGate, Permit } from "./destination-gate.js";

/**
 * Takes a place at the destination and one of the tenant's quota, both or none. While waiting for one it holds nothing of the other, so
 * neither a dead receiver nor a busy tenant holds up others. Rejects with the signal's reason when it aborts first.
 */
export async function tenantTurn(
  gate: Pick<DestinationGate, "acquire" | "tryAcquire">,
  places: Pick<TenantPlaces, "tryEnter" | "enter">,
  { tenant, destination }: { readonly tenant: TenantName; readonly destination: string },
  signal: AbortSignal,
): Promise<Permit> {
  for (;;) {
    const permit = await gate.acquire(tenant, destination, signal);
    const atHand = places.tryEnter(tenant);
    if (atHand !== undefined) return both(permit, atHand);
    permit.done("unspent");
    const place = await places.enter(tenant, { signal });
    const atOnce = place && gate.tryAcquire(tenant, destination);
    if (atOnce !== undefined) return both(atOnce, place);
    place?.();
  }
}

function both(permit: Permit, place: ReleasePlace | undefined): Permit {
  return {
    done: (outcome) => {
      permit.done(outcome);
      place?.();
    },
  };
}
