import type { KeyRing } from "../../shared/config/key-ring.js";
import { shownProxy } from "../../shared/tenant/proxy-address.js";

/** Returns the stored form of a proxy; empty for none. `context`: the record that it is bound to. */
export function sealProxy(ring: Pick<KeyRing, "seal">, proxy: string, context: string): string {
  return proxy === "" ? "" : ring.seal(Buffer.from(proxy), context);
}

/** Returns the proxy; empty for none, `undefined` if it cannot be decrypted. */
export function openProxy(ring: Pick<KeyRing, "open">, sealed: string, context: string): string | undefined {
  try {
    return sealed === "" ? "" : ring.open(sealed, context).toString();
  } catch {
    // The process that connects through the proxy reports this.
    return undefined;
  }
}

/** Returns the proxy without its login; `null` for none, `***` if it cannot be decrypted. */
export function shownOrNull(proxy: string | undefined): string | null {
  return proxy === "" ? null : shownProxy(proxy ?? "");
}
