import { Api } from "telegram";
import { chatNotFound, invalidRef, invalidReply } from "../../../shared/contract/telegram/errors.js";
import { messageNumber } from "../../../shared/contract/telegram/message-number.js";
import { type AccountRefs, isRefShaped } from "../../session/message-refs.js";
import type { Transfer } from "../media/transfer.js";
import { type Peer, toInputPeer } from "../peers.js";

/** The message that a reply quotes. Without a chat it is in the chat that the reply goes to. */
export interface Quoted {
  readonly id: number;
  readonly chat?: string;
}

/** Reads `replyTo`, the id of a message or a ref. Throws `ref is not valid`, or that `replyTo` has neither form. */
export function quotedBy(replyTo: string, refs: Pick<AccountRefs, "open">): Quoted {
  const id = messageNumber(replyTo);
  if (id !== undefined) return { id };
  const head = refs.open(replyTo);
  if (head === undefined) throw isRefShaped(replyTo) ? invalidRef() : invalidReply();
  return { id: Number(head.id), chat: head.chat };
}

/** Returns the fields of a request that make it a reply. A message of another chat is quoted from there. */
export async function replyFields(
  { connector }: Transfer,
  to: Peer,
  quoted: Quoted | undefined,
): Promise<{ readonly replyTo?: Api.InputReplyToMessage }> {
  if (quoted === undefined) return {};
  const { id: replyToMsgId, chat = to.id } = quoted;
  if (chat === to.id) return { replyTo: new Api.InputReplyToMessage({ replyToMsgId }) };
  const from = await connector.peers.find(chat);
  if (from === undefined) throw chatNotFound();
  return { replyTo: new Api.InputReplyToMessage({ replyToMsgId, replyToPeerId: toInputPeer(from) }) };
}
