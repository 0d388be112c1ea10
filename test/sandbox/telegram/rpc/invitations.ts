import { Api } from "telegram";
import { RpcFault } from "../rpc.js";
import type { Account } from "../world/account.js";
import { long } from "../world/ids.js";
import type { Person } from "../world/person.js";
import type { World } from "../world/world.js";
import { resolveUser } from "./peers.js";

/** Returns each person once, without the account itself. */
export function invitedPeople(world: World, account: Account, inputs: readonly unknown[]): Person[] {
  const people = new Map(inputs.map((input) => resolveUser(world, account, input)).map((person) => [person.id, person]));
  people.delete(account.userId);
  for (const { deleted } of people.values()) if (deleted) throw new RpcFault(400, "INPUT_USER_DEACTIVATED");
  return [...people.values()];
}

/**
 * Separates people whose privacy forbids invitations. They are no error, but listed in the response
 * (core.telegram.org/constructor/missingInvitee).
 */
export function sortInvited(
  world: World,
  account: Account,
  people: readonly Person[],
): { readonly userIds: readonly number[]; readonly missing: readonly Api.MissingInvitee[] } {
  const mayInvite = ({ id }: Person): boolean => {
    const other = world.accounts.ofUser(id);
    if (other === undefined) return true;
    const { blocked, contactsInvite, contacts } = world.opened(other);
    return !blocked.has(account.userId) && (!contactsInvite || contacts.has(account.userId));
  };
  const missing = people.filter((person) => !mayInvite(person)).map(({ id }) => new Api.MissingInvitee({ userId: long(id) }));
  return { userIds: people.filter(mayInvite).map(({ id }) => id), missing };
}

/** Only a mutual contact may bring back a person who left. */
export function checkMayReturn(world: World, account: Account, { id }: Person, left: ReadonlySet<number>): void {
  const other = world.accounts.ofUser(id);
  if (!left.has(id) || other === undefined) return;
  if (!account.contacts.has(id) || !world.opened(other).contacts.has(account.userId)) throw new RpcFault(403, "USER_NOT_MUTUAL_CONTACT");
}
