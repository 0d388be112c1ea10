import { isJidGroup, type proto } from "@whiskeysockets/baileys";
import { missingAuthor } from "../../../shared/contract/whatsapp/errors.js";
import type { Client } from "../client.js";
import type { WhatsAppConnector } from "../connector.js";
import { userJid } from "../jid.js";

/** The message that a command is about. `author` is `undefined` if the caller does not know the author. */
export interface ReferredMessage {
  readonly jid: string;
  readonly messageId: string;
  readonly author: string | undefined;
}

/**
 * Returns the key by which the chat's devices find a message. Without an author, a message that this session has sent within a day is the
 * account's own, and any other message of a private chat is the other person's. Throws 400 where only the caller knows the author.
 */
export async function messageKey(
  connector: WhatsAppConnector,
  client: Client,
  { jid, messageId: id, author }: ReferredMessage,
): Promise<proto.IMessageKey> {
  const isGroup = isJidGroup(jid) === true;
  const remoteJid = isGroup ? jid : await connector.account.addresses.one(client, jid);
  const fromMe = isOwn(client, author ?? jid) || (author === undefined && (await isKept(connector, id)));
  if (!isGroup || fromMe) return { remoteJid, fromMe, id };
  if (author === undefined) throw missingAuthor();
  return { remoteJid, fromMe, id, participant: userJid(author) };
}

/** True for the account's own id of either kind. */
export function isOwn({ me }: Client, jid: string): boolean {
  return [me.id, me.lid].some((own) => userJid(own) === userJid(jid));
}

async function isKept({ context }: WhatsAppConnector, messageId: string): Promise<boolean> {
  return (await context.sent.read(messageId)) !== undefined;
}
