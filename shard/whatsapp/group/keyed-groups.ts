import { jidDecode, jidEncode, type GroupMetadata, type JidServer } from "@whiskeysockets/baileys";
import { recentCache } from "../../flow/recent-cache.js";
import type { Holders } from "../keys/key-holders.js";

/** What is known of groups, by what else there is. */
export interface GroupFacts {
  /** A group as it is remembered: another object once anything of it has changed. */
  group(jid: string): GroupMetadata | undefined;
  /** The devices of a user that are remembered. */
  devices(user: string): readonly Device[] | undefined;
  /** Who has the account's key for this group, by device: another object once anybody is taken off. */
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
  /** What the library gets. */
  readonly memberless: GroupMetadata;
}

/**
 * Groups of which every device is known to have the account's key. For each text the library goes through all members' devices to find those that have none, and needs the members for nothing else, so it
 * is given such a group without members. A group is no longer known as keyed as soon as a member, the devices of one, or who has the key may have changed. Nobody else has the key of a keyed group.
 */
export class KeyedGroups {
  private readonly keyed = recentCache<Keyed>(groupsMax);

  constructor(private readonly facts: GroupFacts) {}

  /** A group for a text to it; `undefined` when it is not remembered. */
  groupFor(jid: string): GroupMetadata | undefined {
    return this.isKeyed(jid) ? this.keyed.get(jid)?.memberless : this.facts.group(jid);
  }

  /** Without a look at its members. */
  isKeyed(jid: string): boolean {
    const known = this.keyed.get(jid);
    if (known === undefined) return false;
    if (this.facts.group(jid) === known.group && this.facts.holders(jid) === known.holders) return true;
    this.keyed.delete(jid);
    return false;
  }

  /** A text has been sent to this group. Looks at all of it, unless it is known to be keyed. */
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
    // Somebody else has it, who may have left while the text was sent.
    if (held !== Object.keys(holders).length) return;
    keyed.set(jid, { group, holders, users, memberless: { ...group, participants: [] } });
  }

  /** The devices of this user may be others. */
  changed(user: string): void {
    for (const [jid, { users }] of this.keyed.entries()) if (users.has(user)) this.keyed.delete(jid);
  }

  clear(): void {
    this.keyed.clear();
  }
}

const groupsMax = 50;

/** A business' hosted device gets none from the library. */
function hasKey(device: Device, holders: Holders): boolean {
  return device.device === hostedDevice || device.server.startsWith("hosted") || holders[jidOf(device)] === true;
}

function jidOf({ user, server, device }: Device): string {
  return jidEncode(user, server, device);
}

const hostedDevice = 99;
