import type { proto } from "@whiskeysockets/baileys";

/** A message without its wrappers. */
export interface Unwrapped {
  readonly message: proto.IMessage;
  readonly viewOnce: boolean;
}

/** Returns the message within its wrappers. The album of a wrapped message may be named by its wrapper. */
export function unwrapped(whole: proto.IMessage): Unwrapped {
  let message = whole;
  let viewOnce = false;
  for (let depth = 0; depth < wrappersMax; depth++) {
    const once = message.viewOnceMessage ?? message.viewOnceMessageV2 ?? message.viewOnceMessageV2Extension;
    const wrapper: proto.Message.IFutureProofMessage | null | undefined = once ?? wrapperOf(message);
    if (!wrapper) break;
    viewOnce ||= Boolean(once);
    const { messageContextInfo } = message;
    message = { ...(messageContextInfo && { messageContextInfo }), ...wrapper.message };
  }
  const { imageMessage, videoMessage, ptvMessage, audioMessage } = message;
  return {
    message,
    viewOnce: viewOnce || [imageMessage, videoMessage, ptvMessage, audioMessage].some((media) => media?.viewOnce === true),
  };
}

function wrapperOf(message: proto.IMessage): proto.Message.IFutureProofMessage | null | undefined {
  return (
    message.ephemeralMessage ??
    message.botInvokeMessage ??
    message.documentWithCaptionMessage ??
    message.editedMessage ??
    message.associatedChildMessage ??
    message.groupMentionedMessage ??
    message.lottieStickerMessage ??
    message.groupStatusMessage ??
    message.groupStatusMessageV2
  );
}

const wrappersMax = 5;
