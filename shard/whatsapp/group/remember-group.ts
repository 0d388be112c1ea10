import { WAMessageAddressingMode, type GroupMetadata } from "@whiskeysockets/baileys";
import type { Client } from "../client.js";

/** Where groups are remembered, by JID. */
interface Groups {
  get(jid: string): GroupMetadata | undefined;
  set(jid: string, group: GroupMetadata): unknown;
}

/** A group and its members, from memory while nothing is known to have changed. Rejects like the platform: 404 and 403 when the account is not in it. */
export async function rememberGroup(groups: Groups, client: Client, jid: string): Promise<GroupMetadata> {
  const known = groups.get(jid);
  if (known !== undefined) return known;
  const group = toAddressed(client, await readGroup(client, jid));
  groups.set(jid, group);
  return group;
}

/** A migrated account writes to anonymous ids also in a group that lists its members by number. */
function toAddressed({ lidMigrated }: Client, group: GroupMetadata): GroupMetadata {
  if (!lidMigrated || group.addressingMode !== WAMessageAddressingMode.PN) return group;
  const participants = group.participants.map((one) => (one.lid === undefined ? one : { ...one, id: one.lid, phoneNumber: one.id }));
  return { ...group, participants };
}

/** As the platform has it now. */
export function readGroup(client: Client, jid: string): Promise<GroupMetadata> {
  return client.ask(() => client.sock.groupMetadata(jid));
}
