import { isEmpty, mustBeProxy } from "../../shared/contract/rules.js";
import { parseProxy } from "../../shared/egress/proxy-address.js";

/** Of the field `proxy`, of a tenant as of a session. */
export function faultsOfProxy(value: unknown): string[] {
  if (isEmpty(value)) return [];
  return typeof value === "string" && parseProxy(value) !== undefined ? [] : [mustBeProxy("proxy")];
}

/** Empty for none. */
export const proxyIn = (value: unknown): string => (typeof value === "string" ? value : "");
