import type { CommandCall } from "../../session/command.js";
import type { MessageOutput } from "../../../shared/contract/message-content.js";
import type { PollInput } from "../../../shared/contract/whatsapp/message.js";
import type { WhatsAppConnector } from "../connector.js";
import { compose } from "../message/compose.js";
import { addressed, sendToChat } from "./send-to-chat.js";

/** POST /message/poll. A count of 0 lets people choose any number of options. */
export async function sendPoll(
  connector: WhatsAppConnector,
  { to, question, options, multiple }: PollInput,
  call: CommandCall,
): Promise<MessageOutput> {
  const { signal } = call;
  const message = await addressed(connector, to, call);
  const { jid, messageId } = message;
  const poll = { name: question, values: options, selectableCount: multiple ? 0 : 1 };
  await sendToChat(connector, message, call, (client, timer) => compose(client, jid, { poll }, { messageId, timer, signal }));
  return { messageId };
}
