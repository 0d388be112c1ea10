import { isSameTenant, type OfTenant } from "../../shared/contract/tenant.js";
import { keyRoles, type KeyRole, type Principal } from "./principal.js";

/**
 * Action that a key allows. `use-session`: all calls of a session, without its secret. `read-session` and `operate-session`: operators'
 * calls that read or change one session. `administer`: tenants, keys and the cluster. `read-self`: the key itself.
 */
export type Action = "read-self" | "create-session" | "use-session" | "read-session" | "operate-session" | "read-members" | "administer";

/**
 * `refused`: the role never allows it. `hidden`: the role allows it, but not for this owner; the response is that for something that does
 * not exist.
 */
export type Verdict = "allowed" | "refused" | "hidden";

const may: Readonly<Record<KeyRole, readonly Action[]>> = {
  admin: ["read-self", "create-session", "use-session", "read-session", "operate-session", "read-members", "administer"],
  tenant: ["read-self", "create-session", "use-session", "read-session", "operate-session"],
  create: ["read-self", "create-session"],
  read: ["read-self", "read-session", "read-members"],
};

/** Returns whether the principal may do this to something of this owner; without an owner, to anything at all. Pure. */
export function judge(principal: Principal, action: Action, owner?: OfTenant): Verdict {
  if (!may[principal.role].includes(action)) return "refused";
  return owner === undefined || isOf(principal, owner) ? "allowed" : "hidden";
}

/** Returns all actions that a key of this role allows. */
export function actionsOf(role: KeyRole): readonly Action[] {
  return may[role];
}

/** Returns the roles that allow this action. */
export function rolesFor(action: Action): KeyRole[] {
  return keyRoles.filter((role) => may[role].includes(action));
}

/** Returns true if the principal belongs to this tenant or is an admin. */
export function isOf(principal: Principal, owned: OfTenant): boolean {
  return principal.role === "admin" || isSameTenant(principal, owned);
}
