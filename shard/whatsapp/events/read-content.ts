import { getContentType, proto } from "@whiskeysockets/baileys";
import { unwrapped, type Unwrapped } from "../message/unwrapped.js";

/** What a message does in its chat. */
export type Content =
  | { readonly kind: "message"; readonly message: proto.IMessage; readonly viewOnce: boolean }
  | {
      readonly kind: "edited";
      /** The message that was edited. */
      readonly id: string;
      readonly message: proto.IMessage;
      readonly viewOnce: boolean;
      /** Unix milliseconds as the sender states them, 0 if unknown. */
      readonly at: number;
      /** The new content cannot be read. */
      readonly isUnknown?: true;
    }
  /** `ofAuthor`: the sender of the deletion claims to be the message's author. */
  | { readonly kind: "deleted"; readonly id: string; readonly ofAuthor: boolean }
  | { readonly kind: "reaction"; readonly id: string; readonly emoji: string }
  /** `id`: the poll. */
  | { readonly kind: "vote"; readonly id: string; readonly vote: proto.Message.IPollEncValue };

/** Returns `undefined` for messages of the protocol, which show nothing in a chat. */
export function readContent(received: proto.IMessage): Content | undefined {
  const { message, viewOnce } = contentIn(received);
  const { protocolMessage, reactionMessage, pollUpdateMessage } = message;
  if (protocolMessage) return ofProtocol(protocolMessage);
  if (reactionMessage) {
    const id = reactionMessage.key?.id ?? "";
    return id === "" ? undefined : { kind: "reaction", id, emoji: reactionMessage.text ?? "" };
  }
  if (pollUpdateMessage) {
    const { pollCreationMessageKey, vote } = pollUpdateMessage;
    const id = pollCreationMessageKey?.id ?? "";
    return id === "" || !vote ? undefined : { kind: "vote", id, vote };
  }
  const type = getContentType(message);
  if (type === undefined || silent.has(type)) return undefined;
  const first = firstUpload(message);
  return first === "" ? { kind: "message", message, viewOnce } : { kind: "edited", id: first, message, viewOnce, at: 0 };
}

/**
 * Returns the id of the message whose file this one replaces; empty for other messages. Phones upload a picture or video in a low
 * resolution first, and the better file as a second message.
 */
function firstUpload({ messageContextInfo }: proto.IMessage): string {
  const { associationType, parentMessageKey } = messageContextInfo?.messageAssociation ?? {};
  const isSecond = associationType !== undefined && associationType !== null && secondUploads.has(associationType);
  // Only the author may replace a file, and the key is written from the sender's point of view.
  return isSecond && parentMessageKey?.fromMe === true ? (parentMessageKey.id ?? "") : "";
}

function ofProtocol({ type, key, editedMessage, timestampMs }: proto.Message.IProtocolMessage): Content | undefined {
  const id = key?.id ?? "";
  if (id === "") return undefined;
  if (type === proto.Message.ProtocolMessage.Type.REVOKE) return { kind: "deleted", id, ofAuthor: key?.fromMe === true };
  // Only the author can edit a message, and the key is written from the sender's point of view.
  if (type !== proto.Message.ProtocolMessage.Type.MESSAGE_EDIT || key?.fromMe !== true || !editedMessage) return undefined;
  return { kind: "edited", id, ...unwrapped(editedMessage), at: Number(timestampMs ?? 0) };
}

/** Returns the message within its wrappers. */
export function contentIn(received: proto.IMessage): Unwrapped {
  return unwrapped(sentElsewhere(received) ?? received);
}

/** Returns the message that the account sent from another device. Its album may be named by its wrapper alone. */
function sentElsewhere({ deviceSentMessage, messageContextInfo }: proto.IMessage): proto.IMessage | undefined {
  const message = deviceSentMessage?.message;
  return message ? { ...(messageContextInfo && { messageContextInfo }), ...message } : undefined;
}

const { AssociationType } = proto.MessageAssociation;
const secondUploads: ReadonlySet<proto.MessageAssociation.AssociationType> = new Set([
  AssociationType.HD_IMAGE_DUAL_UPLOAD,
  AssociationType.HD_VIDEO_DUAL_UPLOAD,
  AssociationType.HEVC_VIDEO_DUAL_UPLOAD,
]);

/**
 * Contents that change another message, carry keys or announce an album, whose pictures are messages of their own. Encrypted reactions
 * need the message that they belong to.
 */
const silent: ReadonlySet<keyof proto.IMessage> = new Set([
  "senderKeyDistributionMessage",
  "fastRatchetKeySenderKeyDistributionMessage",
  "messageContextInfo",
  "albumMessage",
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
