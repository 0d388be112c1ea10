import { Api } from "telegram";
import type { CommandCall } from "../../session/command.js";
import type { ChangedMessage } from "../../../shared/contract/message-change.js";
import { messageNotFound } from "../../../shared/contract/telegram/errors.js";
import type { MessageReference } from "../../../shared/contract/telegram/message-change.js";
import { splitMarkedId } from "../chats/chat-reference.js";
import { changeMessage } from "../message/change-message.js";
import { hasMessage } from "../message/has-message.js";
import { toInputChannel } from "../peers.js";
import type { TelegramConnector } from "../connector.js";

/** DELETE /message/{messageId}: deletes a message for everybody. */
export async function deleteMessage(
  connector: TelegramConnector,
  { to, messageId }: MessageReference,
  call: CommandCall,
): Promise<ChangedMessage> {
  const id = [messageId];
  await changeMessage(
    connector,
    {
      to,
      requestOf: async (change) => {
        // The platform confirms the deletion of a message that does not exist, and of one in another chat.
        if (!(await hasMessage(change, messageId))) {
          if (change.isRepeat) return undefined;
          throw messageNotFound();
        }
        const { peer } = change;
        return splitMarkedId(peer.id).kind === "channel"
          ? new Api.channels.DeleteMessages({ channel: toInputChannel(peer), id })
          : new Api.messages.DeleteMessages({ revoke: true, id });
      },
    },
    call,
  );
  return { messageId: String(messageId) };
}
