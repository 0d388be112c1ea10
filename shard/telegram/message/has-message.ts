import { Api } from "telegram";
import { listTimeoutMs } from "../../../shared/limits.js";
import { channelMark, chatMark, splitMarkedId } from "../chats/chat-reference.js";
import { toInputChannel } from "../peers.js";
import type { ChangeTry } from "./change-message.js";

/** True if the chat has the message. The ids of private chats and basic groups are one sequence, so the chat must be compared. */
export async function hasMessage({ client, peer, signal }: Omit<ChangeTry, "isRepeat">, messageId: number): Promise<boolean> {
  const id = [new Api.InputMessageID({ id: messageId })];
  const request =
    splitMarkedId(peer.id).kind === "channel"
      ? new Api.channels.GetMessages({ channel: toInputChannel(peer), id })
      : new Api.messages.GetMessages({ id });
  const page = await client.invoke(request, { signal, deadlineMs: listTimeoutMs });
  if (page instanceof Api.messages.MessagesNotModified) return false;
  return page.messages.some(
    (message) => !(message instanceof Api.MessageEmpty) && message.id === messageId && markOf(message.peerId) === peer.id,
  );
}

function markOf(peer: Api.TypePeer): string {
  if (peer instanceof Api.PeerUser) return peer.userId.toString();
  return peer instanceof Api.PeerChat ? chatMark(peer.chatId) : channelMark(peer.channelId);
}
