import { getContentType, normalizeMessageContent, proto } from "@whiskeysockets/baileys";

/** What a message does in its chat. */
export type Content =
  | { readonly kind: "message"; readonly message: proto.IMessage; readonly viewOnce: boolean }
  /** `id`: the message that was edited; `at`: Unix milliseconds, 0 if unknown. */
  | { readonly kind: "edited"; readonly id: string; readonly message: proto.IMessage; readonly at: number }
  /** `ofAuthor`: the sender of the deletion claims to be the message's author. */
  | { readonly kind: "deleted"; readonly id: string; readonly ofAuthor: boolean }
  | { readonly kind: "reaction"; readonly id: string; readonly emoji: string };

/** Returns `undefined` for messages of the protocol, which show nothing in a chat. */
export function readContent(received: proto.IMessage): Content | undefined {
  const whole = received.deviceSentMessage?.message ?? received;
  const message = normalizeMessageContent(whole);
  if (message === undefined) return undefined;
  const { protocolMessage, reactionMessage } = message;
  if (protocolMessage) return ofProtocol(protocolMessage);
  if (reactionMessage) return { kind: "reaction", id: reactionMessage.key?.id ?? "", emoji: reactionMessage.text ?? "" };
  const type = getContentType(message);
  if (type === undefined || silent.has(type)) return undefined;
  return { kind: "message", message, viewOnce: isViewOnce(whole) };
}

function ofProtocol({ type, key, editedMessage, timestampMs }: proto.Message.IProtocolMessage): Content | undefined {
  const id = key?.id ?? "";
  if (id === "") return undefined;
  if (type === proto.Message.ProtocolMessage.Type.REVOKE) return { kind: "deleted", id, ofAuthor: key?.fromMe === true };
  const message = normalizeMessageContent(editedMessage);
  if (type !== proto.Message.ProtocolMessage.Type.MESSAGE_EDIT || message === undefined) return undefined;
  return { kind: "edited", id, message, at: Number(timestampMs ?? 0) };
}

function isViewOnce(whole: proto.IMessage): boolean {
  const inner = whole.ephemeralMessage?.message ?? whole;
  if (inner.viewOnceMessage ?? inner.viewOnceMessageV2 ?? inner.viewOnceMessageV2Extension) return true;
  const { imageMessage, videoMessage, audioMessage } = inner;
  return [imageMessage, videoMessage, audioMessage].some((media) => media?.viewOnce === true);
}

/** Contents that change another message or carry keys. Votes and encrypted reactions need the message that they belong to. */
const silent: ReadonlySet<keyof proto.IMessage> = new Set([
  "senderKeyDistributionMessage",
  "messageContextInfo",
  "pollUpdateMessage",
  "encReactionMessage",
  "encCommentMessage",
  "encEventResponseMessage",
  "secretEncryptedMessage",
  "keepInChatMessage",
  "pinInChatMessage",
  "stickerSyncRmrMessage",
  "placeholderMessage",
  "messageHistoryBundle",
  "messageHistoryNotice",
  "call",
]);
