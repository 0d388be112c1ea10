import type { GroupMember, GroupQuery } from "../../../shared/contract/whatsapp/group.js";
import type { BookEntry } from "../address-book.js";
import type { Client } from "../client.js";
import { phoneJid, phoneOf, userJid } from "../jid.js";
import type { WhatsAppConnector } from "../connector.js";
import { findGroup } from "./find-group.js";

/**
 * GET /group/member. Names come from the address book, and the account's own name from its profile. A hidden member who is not in the book
 * has neither name nor number.
 */
export async function listGroupMembers(connector: WhatsAppConnector, { groupId }: GroupQuery): Promise<{ docs: GroupMember[] }> {
  const client = connector.connected();
  const { participants } = await findGroup(client, groupId);
  const members: { readonly id: string; readonly phone: string }[] = [];
  for (const { id, phoneNumber } of participants) members.push({ id: userJid(id), phone: await findPhone(client, id, phoneNumber) });
  const [byId, byPhone] = await Promise.all([
    connector.book.find(members.map(({ id }) => id)),
    connector.book.find(members.map(({ id, phone }) => (phone === "" ? id : phoneJid(phone)))),
  ]);
  const { me } = client;
  const own = new Set([userJid(me.id), userJid(me.lid)]);
  const docs = members.map(({ id, phone }, index) => {
    const member = toMember(id, phone, byId[index] ?? byPhone[index]);
    return own.has(id) && member.name === member.phone ? { ...member, name: me.name || member.name } : member;
  });
  return { docs };
}

/** Returns the number from the id, else from the platform's response, else from the stored mapping. Sends no request. */
async function findPhone(client: Client, id: string, phoneNumber: string | undefined): Promise<string> {
  const given = phoneOf(id) || phoneOf(phoneNumber);
  return given === "" ? phoneOf((await client.sock.signalRepository.lidMapping.getPNForLID(id)) ?? undefined) : given;
}

function toMember(id: string, phone: string, entry: BookEntry | undefined): GroupMember {
  const number = phone === "" ? (entry?.phone ?? "") : phone;
  return { id, name: entry?.name ?? number, phone: number };
}
