import type { KeyRing } from "../../shared/config/key-ring.js";
import { shownProxy } from "../../shared/tenant/proxy-address.js";

/** As it is stored; empty for none. `context`: what it is bound to. */
export function sealProxy(ring: Pick<KeyRing, "seal">, proxy: string, context: string): string {
  return proxy === "" ? "" : ring.seal(Buffer.from(proxy), context);
}

/** Empty without one; `undefined` for one that does not open. */
export function openProxy(ring: Pick<KeyRing, "open">, sealed: string, context: string): string | undefined {
  try {
    return sealed === "" ? "" : ring.open(sealed, context).toString();
  } catch {
    // Told by whoever is to go through it.
    return undefined;
  }
}

/** Without the login; `null` without one, `***` for one that does not open. */
export function shownOrNull(proxy: string | undefined): string | null {
  return proxy === "" ? null : shownProxy(proxy ?? "");
}
