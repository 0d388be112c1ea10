import { getBinaryNodeChild, getBinaryNodeChildren, proto, type BinaryNode } from "@whiskeysockets/baileys";
import type { ChannelMessage, ChannelMessageQuery } from "../../../shared/contract/whatsapp/channel.js";
import type { Client } from "../client.js";
import { toIsoTime } from "../convert.js";

/** Returns one page of a channel's messages, newest first. Message ids are the channel's running numbers, and `before` is such a number. */
export async function readMessages(client: Client, { channelId, limit, before }: ChannelMessageQuery): Promise<ChannelMessage[]> {
  const response = await client.query({
    tag: "iq",
    attrs: { to: "@s.whatsapp.net", type: "get", xmlns: "newsletter" },
    content: [
      { tag: "messages", attrs: { type: "jid", jid: channelId, count: String(limit), ...(before > 0 ? { before: String(before) } : {}) } },
    ],
  });
  const messages = getBinaryNodeChildren(getBinaryNodeChild(response, "messages"), "message").flatMap(
    (node) => toMessage(channelId, node) ?? [],
  );
  return messages.sort((a, b) => Number(b.id) - Number(a.id)).slice(0, limit);
}

/** Returns `undefined` for a message without content, such as a deleted one. */
function toMessage(channelId: string, node: BinaryNode): ChannelMessage | undefined {
  const bytes = getBinaryNodeChild(node, "plaintext")?.content;
  const id = node.attrs["server_id"];
  if (!(bytes instanceof Uint8Array) || id === undefined || !/^\d{1,15}$/.test(id)) return undefined;
  const views = Number(getBinaryNodeChild(node, "views_count")?.attrs["count"] ?? 0);
  const { type, text, ...file } = contentOf(proto.Message.decode(bytes));
  return {
    id,
    channelId,
    type,
    text,
    created: toIsoTime(Number(node.attrs["t"])) ?? "",
    views: Number.isFinite(views) ? views : 0,
    ...file,
  };
}

type Content = Pick<ChannelMessage, "type" | "text" | "mimetype" | "size" | "voice" | "round" | "animation">;

function contentOf({
  conversation,
  extendedTextMessage,
  imageMessage,
  videoMessage,
  ptvMessage,
  audioMessage,
  documentMessage,
  documentWithCaptionMessage,
}: proto.Message): Content {
  const document = documentMessage ?? documentWithCaptionMessage?.message?.documentMessage;
  if (imageMessage) return media("image", imageMessage, imageMessage.caption);
  if (videoMessage) return { ...media("video", videoMessage, videoMessage.caption), animation: videoMessage.gifPlayback === true };
  if (ptvMessage) return { ...media("video", ptvMessage, ptvMessage.caption), round: true };
  if (audioMessage) return { ...media("audio", audioMessage, ""), voice: audioMessage.ptt === true };
  if (document) return media("document", document, document.caption);
  const text = extendedTextMessage?.text ?? conversation;
  return { ...plain, type: text ? "text" : "other", text: text ?? "" };
}

const plain = { mimetype: "", size: 0, voice: false, round: false, animation: false };

function media(
  type: ChannelMessage["type"],
  file: { readonly mimetype?: string | null; readonly fileLength?: unknown },
  caption: string | null | undefined,
): Content {
  return { ...plain, type, text: caption ?? "", mimetype: file.mimetype ?? "", size: Number(file.fileLength ?? 0) };
}
