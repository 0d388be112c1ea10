import type { CommandCall } from "../../session/command.js";
import type { MessageOutput } from "../../../shared/contract/message-content.js";
import type { MessageInput } from "../../../shared/contract/telegram/message.js";
import { composeMessage } from "../message/compose.js";
import { deliver } from "../message/deliver.js";
import { quotedBy } from "../message/reply.js";
import type { TelegramConnector } from "../connector.js";

/**
 * POST /message: sends one of seven types to a person, a group or a channel. Returns the id only after the platform accepted the message.
 */
export async function sendMessage(connector: TelegramConnector, input: MessageInput, call: CommandCall): Promise<MessageOutput> {
  const quoted = input.replyTo === undefined ? undefined : quotedBy(input.replyTo, connector.refs);
  return deliver(connector, input.to, call, (transfer, to, randomId) => composeMessage(transfer, to, input, { randomId, quoted }));
}
