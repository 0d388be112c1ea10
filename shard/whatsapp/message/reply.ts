import { isJidGroup, normalizeMessageContent, proto } from "@whiskeysockets/baileys";
import { invalidRef, invalidReply } from "../../../shared/contract/whatsapp/errors.js";
import type { MessageHead } from "../../session/message-head.js";
import { type AccountRefs, isRefShaped } from "../../session/message-refs.js";
import type { SentMessages } from "../../session/session-context.js";
import { userJid } from "../jid.js";
import { headContent } from "./head-content.js";

/** The message that a reply quotes: what its ref holds, or only its id. */
export type Quoted = MessageHead | Pick<MessageHead, "id">;

/** Reads `replyTo`. Throws `ref is not valid`, or that `replyTo` has neither form. */
export function quotedBy(replyTo: string, refs: Pick<AccountRefs, "open">): Quoted {
  if (messageShape.test(replyTo)) return { id: replyTo };
  const head = refs.open(replyTo);
  if (head === undefined) throw isRefShaped(replyTo) ? invalidRef() : invalidReply();
  return head;
}

/** A ref is longer. */
const messageShape = /^[A-Za-z0-9_-]{1,64}$/;

export interface QuoteParts {
  /** The chat that the reply goes to. */
  readonly jid: string;
  /** JIDs of the account. */
  readonly me: { readonly id: string; readonly lid: string };
  readonly sent: Pick<SentMessages, "read">;
}

/**
 * Returns the quote as recipients' phones need it: the id, the author and the content. Of an id alone, only what this account sent in the
 * last day is known, and in a private chat that the other side wrote anything else.
 */
export async function quoteOf(quoted: Quoted, { jid, me, sent }: QuoteParts): Promise<proto.IContextInfo> {
  const { id } = quoted;
  const own = (chat: string): string => userJid((chat.endsWith("@lid") && me.lid) || me.id);
  if ("chat" in quoted) {
    const { chat, author, fromMe, content } = quoted;
    const elsewhere = isJidGroup(chat) === true && chat !== jid ? { remoteJid: chat } : {};
    return { stanzaId: id, participant: author || (fromMe ? own(chat) : chat), quotedMessage: shown(content), ...elsewhere };
  }
  const content = await sent.read(id);
  if (content !== undefined) {
    const message = normalizeMessageContent(proto.Message.decode(content)) ?? {};
    return { stanzaId: id, participant: own(jid), quotedMessage: shown(headContent(message).content) };
  }
  return { stanzaId: id, ...(isJidGroup(jid) !== true && { participant: jid }) };
}

/** Without any content, phones would show no quote. */
function shown(content: Buffer): proto.IMessage {
  return content.length === 0 ? { conversation: "" } : proto.Message.decode(content);
}
