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
 * is given such a group without members. A group is no longer known as keyed as soon as a member, the devices of one, or who has the key may have changed.
 */
export class KeyedGroups {
  private readonly keyed = recentCache<Keyed>(groupsMax);

  constructor(private readonly facts: GroupFacts) {}

  /** A group for a text to it; `undefined` when it is not remembered. */
  groupFor(jid: string): GroupMetadata | undefined {
    const group = this.facts.group(jid);
    const known = this.keyed.get(jid);
    if (known === undefined) return group;
    if (group === known.group && this.facts.holders(jid) === known.holders) return known.memberless;
    this.keyed.delete(jid);
    return group;
  }

  /** A text has been sent to this group. Looks at all of it, unless it is known to be keyed. */
  check(jid: string): void {
    const { facts, keyed } = this;
    const [group, holders] = [facts.group(jid), facts.holders(jid)];
    if (group === undefined || holders === undefined) return;
    const known = keyed.get(jid);
    if (known?.group === group && known.holders === holders) return;
    const users = new Set<string>();
    for (const { id } of group.participants) {
      const user = jidDecode(id)?.user;
      const devices = user === undefined ? undefined : facts.devices(user);
      if (user === undefined || !devices?.every((device) => hasKey(device, holders))) return;
      users.add(user);
    }
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
function hasKey({ user, server, device }: Device, holders: Holders): boolean {
  return device === hostedDevice || server.startsWith("hosted") || holders[jidEncode(user, server, device)] === true;
}

const hostedDevice = 99;
