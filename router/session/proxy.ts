import { isEmpty, mustBeProxy } from "../../shared/contract/rules.js";
import { parseProxy } from "../../shared/egress/proxy-address.js";
import type { SchemaPort } from "../../shared/schema/schema-follower.js";
import { proxiesSchema } from "../../shared/schema/schema-version.js";
import { proxiesNotYet } from "../errors.js";

/** Of the field `proxy`, of a tenant as of a session. */
export function faultsOfProxy(value: unknown): string[] {
  if (isEmpty(value)) return [];
  return typeof value === "string" && parseProxy(value) !== undefined ? [] : [mustBeProxy("proxy")];
}

/** Empty for none. */
export const proxyIn = (value: unknown): string => (typeof value === "string" ? value : "");

/** 409 while a process that would connect without it may still run: nothing goes around a proxy. */
export function requireProxies({ written }: SchemaPort, proxy: string): void {
  if (proxy !== "" && written < proxiesSchema) throw proxiesNotYet();
}
