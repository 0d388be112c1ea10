import { randomBytes } from "node:crypto";
import { jidNormalizedUser } from "@whiskeysockets/baileys";
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
  await sendToChat(connector, message, call, async (client, timer) => {
    // A repeated call sends the same message, so it keeps the secret with which people may have voted.
    const messageSecret = (await connector.polls.find(messageId))?.secret ?? randomBytes(32);
    const { me } = client.sock.authState.creds;
    const creators = [me?.id ?? "", me?.lid ?? ""].map(jidNormalizedUser).filter((one) => one !== "");
    // Stored before anybody can vote, also while no receiver wants votes: it may want them later.
    await connector.polls.add({ id: messageId, chat: jid, creators, options, secret: messageSecret });
    const poll = { name: question, values: options, selectableCount: multiple ? 0 : 1, messageSecret };
    return await compose(client, jid, { poll }, { messageId, timer, signal });
  });
  return { messageId };
}
