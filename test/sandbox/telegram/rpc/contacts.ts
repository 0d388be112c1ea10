import { Api } from "telegram";
import { RpcFault, type AuthKey } from "../rpc.js";
import { Cast } from "../tl/cast.js";
import { tlPeer } from "../tl/message.js";
import type { Account } from "../world/account.js";
import { long, markChannel, unixNow, type MarkedId } from "../world/ids.js";
import type { Person } from "../world/person.js";
import type { World } from "../world/world.js";
import { callerOf, type Methods, type Platform } from "./method.js";
import { resolveUser } from "./peers.js";

const maxImports = 500;

export function contactsMethods(platform: Platform): Methods {
  const { world } = platform;
  return {
    "contacts.ResolveUsername": {
      handle: (request: Api.contacts.ResolveUsername, context) => {
        const account = callerOf(world, context);
        if (!/^[a-z][a-z0-9_]{3,31}$/i.test(request.username)) throw new RpcFault(400, "USERNAME_INVALID");
        const channel = world.chats.channelByUsername(request.username);
        const person = channel === undefined ? world.accounts.personByUsername(request.username) : undefined;
        if (channel !== undefined) return resolved(world, account, markChannel(channel.id));
        if (person === undefined) throw new RpcFault(400, "USERNAME_NOT_OCCUPIED");
        return resolved(world, account, person.id);
      },
    },
    "contacts.ResolvePhone": {
      handle: (request: Api.contacts.ResolvePhone, context) => {
        const account = callerOf(world, context);
        const person = findByPhone(world, account, request.phone);
        if (person === undefined) throw new RpcFault(400, "PHONE_NOT_OCCUPIED");
        return resolved(world, account, person.id);
      },
    },
    "contacts.ImportContacts": {
      handle: (request: Api.contacts.ImportContacts, context) => {
        const account = callerOf(world, context);
        const cast = new Cast(world, account);
        const imported: Api.ImportedContact[] = [];
        for (const contact of request.contacts.slice(0, maxImports)) {
          if (!(contact instanceof Api.InputPhoneContact)) continue;
          const person = findByPhone(world, account, contact.phone);
          if (person === undefined) continue;
          account.contacts.add(person.id);
          cast.user(person.id);
          imported.push(new Api.ImportedContact({ userId: long(person.id), clientId: contact.clientId }));
        }
        changed(world, account);
        return new Api.contacts.ImportedContacts({ imported, popularInvites: [], retryContacts: [], users: cast.users });
      },
    },
    "contacts.GetContacts": {
      handle: (_request: Api.contacts.GetContacts, context) => {
        const account = callerOf(world, context);
        const cast = new Cast(world, account);
        const contacts = [...account.contacts].map((id) => {
          cast.user(id);
          return new Api.Contact({ userId: long(id), mutual: world.accounts.ofUser(id) !== undefined });
        });
        return new Api.contacts.Contacts({ contacts, savedCount: contacts.length, users: cast.users });
      },
    },
    "contacts.AddContact": {
      handle: (request: Api.contacts.AddContact, context) => {
        const account = callerOf(world, context);
        const { id } = resolveUser(world, account, request.id, "CONTACT_ID_INVALID");
        const { firstName, lastName } = request;
        if (id === account.userId) throw new RpcFault(400, "CONTACT_ID_INVALID");
        if (firstName.trim() === "") throw new RpcFault(400, "CONTACT_NAME_EMPTY");
        account.contacts.add(id);
        account.contactNames.set(id, { firstName, lastName });
        return contactChanged(platform, account, [id], context.key);
      },
    },
    "contacts.DeleteContacts": {
      handle: (request: Api.contacts.DeleteContacts, context) => {
        const account = callerOf(world, context);
        const people = request.id.map((input) => resolveUser(world, account, input));
        for (const { id } of people) {
          account.contacts.delete(id);
          account.contactNames.delete(id);
        }
        return contactChanged(
          platform,
          account,
          people.map(({ id }) => id),
          context.key,
        );
      },
    },
    "contacts.Block": {
      handle: (request: Api.contacts.Block, context) => {
        const account = callerOf(world, context);
        const { id } = resolveUser(world, account, request.id, "PEER_ID_INVALID");
        if (id === account.userId) throw new RpcFault(400, "CONTACT_ID_INVALID");
        account.blocked.add(id);
        blockChanged(platform, account, id, context.key);
        return true;
      },
    },
    "contacts.Unblock": {
      handle: (request: Api.contacts.Unblock, context) => {
        const account = callerOf(world, context);
        const { id } = resolveUser(world, account, request.id, "PEER_ID_INVALID");
        const wasBlocked = account.blocked.delete(id);
        blockChanged(platform, account, id, context.key);
        return wasBlocked;
      },
    },
  };
}

/** Returns the updates for the acting device, and pushes the same to the account's other devices. */
function contactChanged({ world, delivery }: Platform, account: Account, userIds: readonly number[], key: AuthKey): Api.Updates {
  changed(world, account);
  const packet = (): Api.Updates => {
    const cast = userIds.reduce((all, id) => all.user(id), new Cast(world, account));
    const updates = userIds.map((id) => new Api.UpdatePeerSettings({ peer: tlPeer(id), settings: new Api.PeerSettings({}) }));
    return new Api.Updates({ updates, users: cast.users, chats: [], date: unixNow(), seq: 0 });
  };
  delivery.pushes.pushFleeting(account, packet, key);
  return packet();
}

/** Pushes a changed block to the account's other devices. */
function blockChanged({ world, delivery }: Platform, account: Account, id: number, key: AuthKey): void {
  changed(world, account);
  const packet = (): Api.Updates => {
    const { users } = new Cast(world, account).user(id);
    const update = new Api.UpdatePeerBlocked({ peerId: tlPeer(id), ...(account.blocked.has(id) && { blocked: true }) });
    return new Api.Updates({ updates: [update], users, chats: [], date: unixNow(), seq: 0 });
  };
  delivery.pushes.pushFleeting(account, packet, key);
}

function changed(world: World, account: Account): void {
  account.peopleChanged = true;
  world.changed("world");
}

function findByPhone(world: World, account: Account, phone: string): Person | undefined {
  const person = world.accounts.personByPhone(phone.replace(/\D/g, ""));
  return person?.phoneHidden === true && !account.contacts.has(person.id) ? undefined : person;
}

function resolved(world: World, account: Account, peer: MarkedId): Api.contacts.ResolvedPeer {
  const cast = new Cast(world, account).peer(peer);
  return new Api.contacts.ResolvedPeer({ peer: tlPeer(peer), chats: cast.chats, users: cast.users });
}
