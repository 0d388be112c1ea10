import { isSessionId } from "../../../shared/contract/ids.js";
import { isTenantName } from "../../../shared/contract/tenant.js";
import { slotCount } from "../../../shared/limits.js";
import { isKeyId } from "../../tenant/api-key.js";

/** Phone numbers have seven digits or more, with or without dashes. Members and tenants may have such names. */
const isNumberLike = (name: string): boolean => /^(-*\d){7,}-*$/.test(name);

const isMemberName = (name: string): boolean => /^[a-z0-9][a-z0-9-]{0,31}$/.test(name);
const isSlot = (text: string): boolean => /^(0|[1-9]\d{0,3})$/.test(text) && Number(text) < slotCount;

const forms: Readonly<Record<string, (name: string) => boolean>> = {
  sessions: isSessionId,
  tenants: (name) => isTenantName(name) && !isNumberLike(name),
  keys: isKeyId,
  members: (name) => isMemberName(name) && !isNumberLike(name),
  slots: isSlot,
};

/**
 * Returns the target of a failed call, such as `members/shard-1/drain`, if it has the form of one of our names. Otherwise returns an empty
 * text, because it may be anything. Pure.
 */
export function failedTarget(named: string): string {
  const [kind = "", name = "", ...rest] = named.split("/");
  const isOurs = Object.hasOwn(forms, kind) && forms[kind]?.(name) === true;
  return isOurs && rest.every((part) => /^[a-z-]{1,32}$/.test(part)) ? named : "";
}
