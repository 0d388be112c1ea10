import type { proto } from "@whiskeysockets/baileys";
import type { MessageContext } from "../../../shared/contract/message-content.js";
import { internationalPhone } from "../../../shared/contract/phone.js";
import { isUserId } from "../../../shared/contract/whatsapp/address.js";
import { invalidMention } from "../../../shared/contract/whatsapp/errors.js";
import type { AccountRefs } from "../../session/message-refs.js";
import { phoneJid } from "../jid.js";
import { quotedBy, quoteOf, type QuoteParts } from "./reply.js";

type ContextMaker = (parts: QuoteParts) => Promise<proto.IContextInfo | undefined>;

/** Reads what a message says about others, and returns what makes its context. Throws `ref is not valid`. */
export function contextMaker({ replyTo, mentions = [] }: MessageContext, refs: Pick<AccountRefs, "open">): ContextMaker {
  const quoted = replyTo === undefined ? undefined : quotedBy(replyTo, refs);
  const mentionedJid = mentions.map(mentionedPerson);
  if (quoted === undefined && mentionedJid.length === 0) return () => Promise.resolve(undefined);
  return async (parts) => ({ ...(quoted && (await quoteOf(quoted, parts))), ...(mentionedJid.length > 0 && { mentionedJid }) });
}

function mentionedPerson(mention: string): string {
  const digits = internationalPhone(mention);
  if (!isUserId(mention) && digits === undefined) throw invalidMention();
  return digits === undefined ? mention : phoneJid(digits);
}
