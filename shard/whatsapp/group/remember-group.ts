import type { GroupMetadata } from "@whiskeysockets/baileys";
import type { Client } from "../client.js";
import type { WhatsAppConnector } from "../connector.js";

/** A group and its members, from memory while nothing is known to have changed. Rejects like the platform: 404 and 403 when the account is not in it. */
export async function rememberGroup(session: WhatsAppConnector, client: Client, jid: string): Promise<GroupMetadata> {
  const known = session.link.groups.get(jid);
  if (known !== undefined) return known;
  const group = await readGroup(client, jid);
  session.link.groups.set(jid, group);
  return group;
}

/** As the platform has it now. */
export function readGroup(client: Client, jid: string): Promise<GroupMetadata> {
  return client.ask(() => client.sock.groupMetadata(jid));
}
