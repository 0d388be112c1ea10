import { proto } from "@whiskeysockets/baileys";

/** Makes a message a part of the album that `parentMessageKey` names. */
export function inAlbum(message: proto.IMessage, parentMessageKey: proto.IMessageKey): proto.IMessage {
  const { MEDIA_ALBUM } = proto.MessageAssociation.AssociationType;
  const messageAssociation = { associationType: MEDIA_ALBUM, parentMessageKey };
  return proto.Message.fromObject({ ...message, messageContextInfo: { ...message.messageContextInfo, messageAssociation } });
}
