import { Api } from "telegram";
import { isBlank } from "../../../shared/contract/blank.js";
import type { CommandCall } from "../../session/command.js";
import type { ChangedMessage } from "../../../shared/contract/message-change.js";
import { textIsEmpty } from "../../../shared/contract/telegram/errors.js";
import type { EditInput } from "../../../shared/contract/telegram/message-change.js";
import { formatMessage } from "../formatting/format-message.js";
import { changeMessage } from "../message/change-message.js";
import { toInputPeer } from "../peers.js";
import type { TelegramConnector } from "../connector.js";

/** PATCH /message/{messageId}: replaces the text or the caption of a message. The platform decides how long that is possible. */
export async function editMessage(
  connector: TelegramConnector,
  { to, messageId: id, text, parseMode }: EditInput,
  call: CommandCall,
): Promise<ChangedMessage> {
  const formatted = await formatMessage(text, parseMode, (userId) => connector.peers.find(userId));
  // Marks around nothing: the platform would reject them with MESSAGE_EMPTY.
  if (isBlank(formatted.message)) throw textIsEmpty();
  await changeMessage(
    connector,
    { to, requestOf: async ({ peer }) => new Api.messages.EditMessage({ peer: toInputPeer(peer), id, ...formatted }) },
    call,
  );
  return { messageId: String(id) };
}
