import { WAMessageAddressingMode, type GroupMetadata } from "@whiskeysockets/baileys";
import type { Client } from "../client.js";

/** The cache of groups, by JID. */
interface Groups {
  get(jid: string): GroupMetadata | undefined;
  set(jid: string, group: GroupMetadata): unknown;
}

/**
 * Returns a group with its members, from the cache until a change is known. Rejects like the platform: 404 and 403 when the account is not
 * a member.
 */
export async function rememberGroup(groups: Groups, client: Client, jid: string): Promise<GroupMetadata> {
  const cached = groups.get(jid);
  if (cached !== undefined) return cached;
  const group = toAddressed(client, await readGroup(client, jid));
  groups.set(jid, group);
  return group;
}

/** A migrated account writes to anonymous ids even in a group that lists its members by number. */
function toAddressed({ lidMigrated }: Client, group: GroupMetadata): GroupMetadata {
  if (!lidMigrated || group.addressingMode !== WAMessageAddressingMode.PN) return group;
  const participants = group.participants.map((one) => (one.lid === undefined ? one : { ...one, id: one.lid, phoneNumber: one.id }));
  return { ...group, participants };
}

/** Reads the group from the platform. */
export function readGroup(client: Client, jid: string): Promise<GroupMetadata> {
  return client.runQuery(() => client.sock.groupMetadata(jid));
}
