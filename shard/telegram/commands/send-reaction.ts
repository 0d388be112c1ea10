import { Api } from "telegram";
import type { CommandCall } from "../../session/command.js";
import type { ChangedMessage } from "../../../shared/contract/message-change.js";
import type { ReactionInput } from "../../../shared/contract/telegram/message-change.js";
import { changeMessage } from "../message/change-message.js";
import { toInputPeer } from "../peers.js";
import type { TelegramConnector } from "../connector.js";

/** POST /message/reaction: sets or removes the account's reaction to a message. The platform decides which emoji it allows. */
export async function sendReaction(
  connector: TelegramConnector,
  { to, messageId, emoji }: ReactionInput,
  call: CommandCall,
): Promise<ChangedMessage> {
  // The platform names its emoji without the selector for a coloured picture.
  const emoticon = emoji.replaceAll("\ufe0f", "");
  const reaction = emoticon === "" ? {} : { reaction: [new Api.ReactionEmoji({ emoticon })] };
  await changeMessage(
    connector,
    { to, requestOf: async ({ peer }) => new Api.messages.SendReaction({ peer: toInputPeer(peer), msgId: messageId, ...reaction }) },
    call,
  );
  return { messageId: String(messageId) };
}
