import { Api } from "telegram";
import bigInt, { type BigInteger } from "big-integer";
import type { Ending } from "../../../shared/flow/ending.js";
import { listTimeoutMs } from "../../../shared/limits.js";
import { recentCache } from "../../flow/recent-cache.js";
import { isOutgoing } from "../chats/outgoing.js";
import type { Client } from "../client.js";
import type { SendRequest } from "./send-request.js";

/** Returns the ids of messages from the platform's reply to their send; `undefined` where the reply has none. */
export function sentIds(response: Api.TypeUpdates, randomIds: readonly BigInteger[]): (number | undefined)[] {
  return randomIds.map((randomId) => sentId(response, randomId, randomIds.length === 1));
}

/** `isAlone`: the response can have no other message. */
function sentId(response: Api.TypeUpdates, randomId: BigInteger, isAlone: boolean): number | undefined {
  if (response instanceof Api.UpdateShortSentMessage) return response.id;
  const updates =
    response instanceof Api.Updates || response instanceof Api.UpdatesCombined
      ? response.updates
      : response instanceof Api.UpdateShort
        ? [response.update]
        : [];
  const named = updates.find(
    (update): update is Api.UpdateMessageID => update instanceof Api.UpdateMessageID && update.randomId?.equals(randomId) === true,
  );
  if (named !== undefined || !isAlone) return named?.id;
  const fresh = updates.find(
    (update): update is Api.UpdateNewMessage | Api.UpdateNewChannelMessage =>
      update instanceof Api.UpdateNewMessage || update instanceof Api.UpdateNewChannelMessage,
  );
  return fresh?.message.id;
}

/** Remembers which send made which message, for the last messages that the platform named. */
export class SentMessages {
  private readonly makers = recentCache<string>(1_000);

  /** `chat` is a marked id. */
  add(chat: string, message: number, randomId: BigInteger): void {
    this.makers.set(`${chat} ${message}`, randomId.toString());
  }

  isOfAnother(chat: string, message: number, randomId: BigInteger): boolean {
    return (this.makers.get(`${chat} ${message}`) ?? randomId.toString()) !== randomId.toString();
  }

  clear(): void {
    this.makers.clear();
  }
}

/**
 * Returns the ids of the messages that the platform accepted earlier under their random ids: our newest messages in the chat that match the
 * request and that `isOfAnother` does not know from another send. Those of an album have one album id. `self`: id of the account.
 */
export async function findSent(
  client: Client,
  request: SendRequest,
  self: string,
  isOfAnother: (message: number, at: number) => boolean,
  signal: Ending,
): Promise<number[]> {
  const peer = request instanceof Api.messages.ForwardMessages ? request.toPeer : request.peer;
  const page = await client.invoke(
    new Api.messages.GetHistory({ peer, offsetId: 0, offsetDate: 0, addOffset: 0, limit: pageSize, maxId: 0, minId: 0, hash: bigInt.zero }),
    { signal, deadlineMs: listTimeoutMs },
  );
  if (page instanceof Api.messages.MessagesNotModified) return [];
  const own = page.messages.filter((message): message is Api.Message => message instanceof Api.Message && isOutgoing(message, self));
  if (request instanceof Api.messages.SendMultiMedia) return albumOf(own, request.multiMedia.length, isOfAnother);
  const found = own.find((message) => looksLike(message, request) && !isOfAnother(message.id, 0));
  return found === undefined ? [] : [found.id];
}

/** Returns the messages of the newest album of that size, the first one first. */
function albumOf(own: readonly Api.Message[], size: number, isOfAnother: (message: number, at: number) => boolean): number[] {
  for (const { groupedId } of own) {
    if (!groupedId) continue;
    const ids = own.flatMap((message) => (message.groupedId?.equals(groupedId) === true ? [message.id] : [])).reverse();
    if (ids.length === size && !ids.some((id, at) => isOfAnother(id, at))) return ids;
  }
  return [];
}

const pageSize = 50;

function looksLike(message: Api.Message, request: Exclude<SendRequest, Api.messages.SendMultiMedia>): boolean {
  // A forward does not say what its message contains.
  if (request instanceof Api.messages.ForwardMessages) return Boolean(message.fwdFrom);
  if (message.message.trim() !== request.message.trim()) return false;
  return (
    mediaKind(message.media) === (request instanceof Api.messages.SendMedia ? mediaKind(request.media) : "none") &&
    fileName(message) === requestedName(request)
  );
}

function fileName({ media }: Api.Message): string {
  return media instanceof Api.MessageMediaDocument && media.document instanceof Api.Document ? nameIn(media.document.attributes) : "";
}

function requestedName(request: SendRequest): string {
  return request instanceof Api.messages.SendMedia && request.media instanceof Api.InputMediaUploadedDocument
    ? nameIn(request.media.attributes)
    : "";
}

function nameIn(attributes: readonly Api.TypeDocumentAttribute[]): string {
  return (
    attributes.find((attribute): attribute is Api.DocumentAttributeFilename => attribute instanceof Api.DocumentAttributeFilename)
      ?.fileName ?? ""
  );
}

/**
 * Returns a kind that sent and received media share. A link preview is no media of the message. The library writes null for fields that
 * the platform left out.
 */
function mediaKind(media: Api.TypeMessageMedia | Api.TypeInputMedia | null | undefined): string {
  if (media === undefined || media === null || media instanceof Api.MessageMediaWebPage || media instanceof Api.MessageMediaEmpty)
    return "none";
  return media.className.replace(/^(Message|Input)Media(Uploaded)?/, "").replace("GeoPoint", "Geo");
}
