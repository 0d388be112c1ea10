import { jidDecode, jidEncode, type GroupMetadata, type JidServer } from "@whiskeysockets/baileys";
import { recentCache } from "../../flow/recent-cache.js";
import type { Holders } from "../keys/key-holders.js";

/** Reads what other parts know about groups. */
export interface GroupFacts {
  /** Returns a remembered group, as a new object after each change. */
  group(jid: string): GroupMetadata | undefined;
  /** Returns the remembered devices of a user. */
  devices(user: string): readonly Device[] | undefined;
  /** Returns the devices that hold the account's key for this group, as a new object after each removal. */
  holders(jid: string): Holders | undefined;
}

export interface Device {
  readonly user: string;
  readonly server: JidServer;
  readonly device?: number;
}

interface Keyed {
  readonly group: GroupMetadata;
  readonly holders: Holders;
  readonly users: ReadonlySet<string>;
  /** The group without members, as the library gets it. */
  readonly memberless: GroupMetadata;
}

/**
 * Groups in which exactly the members' devices hold the account's key. The library gets such a group without members, because it reads
 * members only to find devices without the key. Any change ends this.
 */
export class KeyedGroups {
  private readonly keyed = recentCache<Keyed>(groupsMax);

  constructor(private readonly facts: GroupFacts) {}

  /** Returns the group for a message to it; `undefined` when it is not remembered. */
  groupFor(jid: string): GroupMetadata | undefined {
    return this.isKeyed(jid) ? this.keyed.get(jid)?.memberless : this.facts.group(jid);
  }

  /** True when the group is known to be keyed. Does not read its members. */
  isKeyed(jid: string): boolean {
    const entry = this.keyed.get(jid);
    if (entry === undefined) return false;
    if (this.facts.group(jid) === entry.group && this.facts.holders(jid) === entry.holders) return true;
    this.keyed.delete(jid);
    return false;
  }

  /** Call it after a message to this group. Reads all members, unless the group is already known to be keyed. */
  check(jid: string): void {
    const { facts, keyed } = this;
    if (this.isKeyed(jid)) return;
    const [group, holders] = [facts.group(jid), facts.holders(jid)];
    if (group === undefined || holders === undefined) return;
    const users = new Set<string>();
    let held = 0;
    for (const { id } of group.participants) {
      const user = jidDecode(id)?.user;
      const devices = user === undefined ? undefined : facts.devices(user);
      if (user === undefined || !devices?.every((device) => hasKey(device, holders))) return;
      users.add(user);
      held += devices.filter((device) => holders[jidOf(device)] !== undefined).length;
    }
    // Another device holds the key: its owner may have left during the send.
    if (held !== Object.keys(holders).length) return;
    keyed.set(jid, { group, holders, users, memberless: { ...group, participants: [] } });
  }

  /** Call it when the devices of this user may have changed. */
  changed(user: string): void {
    for (const [jid, { users }] of this.keyed.entries()) if (users.has(user)) this.keyed.delete(jid);
  }

  clear(): void {
    this.keyed.clear();
  }
}

const groupsMax = 50;

/** The library gives no key to a business' hosted device, so such a device never lacks one. */
function hasKey(device: Device, holders: Holders): boolean {
  return device.device === hostedDevice || device.server.startsWith("hosted") || holders[jidOf(device)] === true;
}

export function jidOf({ user, server, device }: Device): string {
  return jidEncode(user, server, device);
}

const hostedDevice = 99;
