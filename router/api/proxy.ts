import type { NewSession } from "../../shared/contract/command-row.js";
import { serverBusy } from "../../shared/contract/errors.js";
import { isEmpty, mustBeProxy } from "../../shared/contract/rules.js";
import type { KeyRing } from "../../shared/config/key-ring.js";
import { parseProxy } from "../../shared/tenant/proxy-address.js";
import { keyProxyContext } from "../../shared/tenant/key-proxy.js";
import type { Principal } from "../tenant/principal.js";

/** Returns the faults of the field `proxy` of a tenant, key or session. */
export function faultsOfProxy(value: unknown): string[] {
  if (isEmpty(value)) return [];
  return typeof value === "string" && parseProxy(value) !== undefined ? [] : [mustBeProxy("proxy")];
}

/** Empty for none. */
export const proxyIn = (value: unknown): string => (typeof value === "string" ? value : "");

/**
 * Returns the key's proxy for sessions without their own; `undefined` for none. Throws 503 if it cannot be decrypted, because a session
 * must not bypass its proxy.
 */
export function proxyOfKey(
  ring: Pick<KeyRing, "open">,
  { keyId, sealedProxy }: Principal,
): Required<Pick<NewSession, "proxy" | "proxyOf">> | undefined {
  if (sealedProxy === undefined) return undefined;
  try {
    return { proxy: ring.open(sealedProxy, keyProxyContext(keyId)).toString(), proxyOf: "key" };
  } catch (error) {
    throw serverBusy(error);
  }
}
