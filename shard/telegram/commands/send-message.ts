import type { CommandCall } from "../../session/command.js";
import type { MessageOutput } from "../../../shared/contract/message-content.js";
import type { MessageInput } from "../../../shared/contract/telegram/message.js";
import { sendTimeoutMs } from "../../../shared/limits.js";
import { sendUntilAccepted } from "../message/send-until-accepted.js";
import { randomIdOf } from "../message/random-id.js";
import type { TelegramConnector } from "../connector.js";

/**
 * POST /message: sends one of seven types to a person, a group or a channel. Returns the id only after the platform accepted the message.
 */
export async function sendMessage(connector: TelegramConnector, input: MessageInput, call: CommandCall): Promise<MessageOutput> {
  const { id, signal, yieldLane, log } = call;
  const deadlineAt = performance.now() + sendTimeoutMs;
  const leftMs = (): number => Math.max(1, deadlineAt - performance.now());
  return {
    messageId: await sendUntilAccepted({ connector, input, call, randomId: randomIdOf(connector.id, id), signal, leftMs, yieldLane, log }),
  };
}
