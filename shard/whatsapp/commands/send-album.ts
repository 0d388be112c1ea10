import { proto } from "@whiskeysockets/baileys";
import type { CommandCall } from "../../session/command.js";
import type { AlbumOutput } from "../../../shared/contract/message-content.js";
import type { AlbumInput } from "../../../shared/contract/whatsapp/message.js";
import type { Client } from "../client.js";
import type { WhatsAppConnector } from "../connector.js";
import { inAlbum } from "../message/in-album.js";
import { composeMessage } from "../message/compose.js";
import { setTimer, type Timer } from "../message/disappearing.js";
import { messageIdOf } from "../message/message-id.js";
import { addressed, sendToChat } from "./send-to-chat.js";

/** POST /message/album: sends the head of the album, then its pictures and videos. Uploads all files before it sends anything. */
export async function sendAlbum(connector: WhatsAppConnector, { to, items }: AlbumInput, call: CommandCall): Promise<AlbumOutput> {
  const { id, signal } = call;
  const album = await addressed(connector, to, call);
  const { jid, messageId } = album;
  const messageIds = items.map((_, at) => messageIdOf(connector.id, `${id}|${at}`));
  const { images, videos, downloads } = connector.services;
  const thumbnails = { images, videos, downloads, key: connector.id, signal };
  let composing: Promise<proto.IMessage[]> | undefined;
  const composed = (client: Client, timer: Timer | undefined): Promise<proto.IMessage[]> =>
    (composing ??= (async () => {
      const messages: proto.IMessage[] = [];
      for (const item of items) {
        const message = await composeMessage(client, jid, { to, ...item }, thumbnails, { messageId, timer });
        messages.push(inAlbum(message, { remoteJid: jid, fromMe: true, id: messageId }));
      }
      return messages;
    })());
  await sendToChat(connector, album, call, async (client, timer) => {
    await composed(client, timer);
    const count = (type: "image" | "video"): number => items.filter((item) => item.type === type).length;
    const albumMessage = { expectedImageCount: count("image"), expectedVideoCount: count("video") };
    const head = proto.Message.fromObject({ albumMessage });
    if (timer !== undefined) setTimer(head, timer);
    return head;
  });
  for (const [at, partId] of messageIds.entries())
    await sendToChat(connector, { ...album, messageId: partId }, call, async (client, timer) => {
      const message = (await composed(client, timer))[at];
      if (message === undefined) throw new Error("the album has no such message");
      return message;
    });
  return { messageIds };
}
