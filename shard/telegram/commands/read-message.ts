import { Api } from "telegram";
import type { CommandCall } from "../../session/command.js";
import type { SessionReference } from "../../../shared/contract/session.js";
import type { MessageReference } from "../../../shared/contract/telegram/message-change.js";
import { splitMarkedId } from "../chats/chat-reference.js";
import { changeMessage } from "../message/change-message.js";
import { toInputChannel, toInputPeer } from "../peers.js";
import type { TelegramConnector } from "../connector.js";

/** POST /message/read: marks a chat as read up to a message. The platform marks nothing as unread again. */
export async function readMessage(
  connector: TelegramConnector,
  { to, messageId: maxId }: MessageReference,
  call: CommandCall,
): Promise<SessionReference> {
  await changeMessage(
    connector,
    {
      to,
      requestOf: async ({ peer }) =>
        splitMarkedId(peer.id).kind === "channel"
          ? new Api.channels.ReadHistory({ channel: toInputChannel(peer), maxId })
          : new Api.messages.ReadHistory({ peer: toInputPeer(peer), maxId }),
    },
    call,
  );
  return { id: connector.id };
}
