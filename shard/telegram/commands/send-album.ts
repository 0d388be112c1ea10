import { Api } from "telegram";
import type { CommandCall } from "../../session/command.js";
import { internal } from "../../../shared/contract/telegram/errors.js";
import type { AlbumContent, AlbumOutput } from "../../../shared/contract/message-content.js";
import type { AlbumInput } from "../../../shared/contract/telegram/message.js";
import type { TelegramConnector } from "../connector.js";
import type { Transfer } from "../media/transfer.js";
import { deliverAll } from "../message/deliver.js";
import { randomIdOf } from "../message/random-id.js";
import { uploadMedia } from "../message/upload-media.js";
import { type Peer, toInputPeer } from "../peers.js";

/** POST /message/album: uploads all pictures and videos, then sends them in one request. */
export async function sendAlbum(connector: TelegramConnector, { to, items }: AlbumInput, call: CommandCall): Promise<AlbumOutput> {
  const randomIds = items.map((_, at) => randomIdOf(connector.id, `${call.id}|${at}`));
  const messageIds = await deliverAll(connector, to, call, randomIds, async (transfer, receiver) => {
    const multiMedia: Api.InputSingleMedia[] = [];
    for (const [at, randomId] of randomIds.entries()) {
      const item = items[at];
      if (item === undefined) continue;
      multiMedia.push(new Api.InputSingleMedia({ media: await kept(transfer, receiver, item), randomId, message: item.text }));
    }
    return new Api.messages.SendMultiMedia({ peer: toInputPeer(receiver), multiMedia });
  });
  return { messageIds };
}

/** An album takes only files that the platform already has. */
async function kept(transfer: Transfer, receiver: Peer, item: AlbumContent["items"][number]): Promise<Api.TypeInputMedia> {
  const { client, signal, leftMs } = transfer;
  const media = await uploadMedia(transfer, item);
  const stored = await client.invoke(new Api.messages.UploadMedia({ peer: toInputPeer(receiver), media }), {
    signal,
    deadlineMs: leftMs(),
  });
  if (stored instanceof Api.MessageMediaPhoto && stored.photo instanceof Api.Photo) {
    const { id, accessHash, fileReference } = stored.photo;
    return new Api.InputMediaPhoto({ id: new Api.InputPhoto({ id, accessHash, fileReference }) });
  }
  if (stored instanceof Api.MessageMediaDocument && stored.document instanceof Api.Document) {
    const { id, accessHash, fileReference } = stored.document;
    return new Api.InputMediaDocument({ id: new Api.InputDocument({ id, accessHash, fileReference }) });
  }
  throw internal(new Error("the platform stored no file"));
}
