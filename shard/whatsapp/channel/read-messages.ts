import { getBinaryNodeChild, getBinaryNodeChildren, proto, type BinaryNode } from "@whiskeysockets/baileys";
import type { ChannelMessage, ChannelMessageQuery } from "../../../shared/contract/whatsapp/channel.js";
import type { Client } from "../client.js";
import { toIsoTime } from "../convert.js";

/** One page of a channel's messages, newest first. Ids are the channel's own running numbers, which is what `before` counts in. */
export async function readMessages(client: Client, { channelId, limit, before }: ChannelMessageQuery): Promise<ChannelMessage[]> {
  const answer = await client.query({
    tag: "iq",
    attrs: { to: "@s.whatsapp.net", type: "get", xmlns: "newsletter" },
    content: [
      { tag: "messages", attrs: { type: "jid", jid: channelId, count: String(limit), ...(before > 0 ? { before: String(before) } : {}) } },
    ],
  });
  const messages = getBinaryNodeChildren(getBinaryNodeChild(answer, "messages"), "message").flatMap(
    (node) => toMessage(channelId, node) ?? [],
  );
  return messages.sort((a, b) => Number(b.id) - Number(a.id)).slice(0, limit);
}

/** `undefined` for what has no content, such as a message that was taken back. */
function toMessage(channelId: string, node: BinaryNode): ChannelMessage | undefined {
  const bytes = getBinaryNodeChild(node, "plaintext")?.content;
  const id = node.attrs["server_id"];
  if (!(bytes instanceof Uint8Array) || id === undefined || !/^\d{1,15}$/.test(id)) return undefined;
  const views = Number(getBinaryNodeChild(node, "views_count")?.attrs["count"] ?? 0);
  return {
    id,
    channelId,
    ...contentOf(proto.Message.decode(bytes)),
    created: toIsoTime(Number(node.attrs["t"])) ?? "",
    views: Number.isFinite(views) ? views : 0,
  };
}

type Content = Pick<ChannelMessage, "type" | "text" | "mimetype" | "size">;

function contentOf({
  conversation,
  extendedTextMessage,
  imageMessage,
  videoMessage,
  audioMessage,
  documentMessage,
  documentWithCaptionMessage,
}: proto.Message): Content {
  const document = documentMessage ?? documentWithCaptionMessage?.message?.documentMessage;
  if (imageMessage) return media("image", imageMessage, imageMessage.caption);
  if (videoMessage) return media("video", videoMessage, videoMessage.caption);
  if (audioMessage) return media("audio", audioMessage, "");
  if (document) return media("document", document, document.caption);
  const text = extendedTextMessage?.text ?? conversation;
  return { type: text ? "text" : "other", text: text ?? "", mimetype: "", size: 0 };
}

function media(
  type: ChannelMessage["type"],
  file: { readonly mimetype?: string | null; readonly fileLength?: unknown },
  caption: string | null | undefined,
): Content {
  return { type, text: caption ?? "", mimetype: file.mimetype ?? "", size: Number(file.fileLength ?? 0) };
}
