import { proto } from "@whiskeysockets/baileys";
import type { CommandCall } from "../../session/command.js";
import type { MessageOutput } from "../../../shared/contract/message-content.js";
import { invalidRef, noFileForChannel, notForwardable } from "../../../shared/contract/whatsapp/errors.js";
import type { ForwardInput } from "../../../shared/contract/whatsapp/message.js";
import { postPlain } from "../channel/send-to-channel.js";
import type { WhatsAppConnector } from "../connector.js";
import { fileOf } from "../media/message-file.js";
import { setTimer } from "../message/disappearing.js";
import { forwarded } from "../message/forwarded.js";
import { addressed, sendToChat } from "./send-to-chat.js";

/** POST /message/forward: sends the content that a ref holds, marked as forwarded. A file stays where it is on the platform. */
export async function forwardMessage(connector: WhatsAppConnector, { to, ref }: ForwardInput, call: CommandCall): Promise<MessageOutput> {
  const head = connector.refs.open(ref);
  if (head === undefined) throw invalidRef();
  if (!head.whole) throw notForwardable();
  const content = proto.Message.decode(head.content);
  if (to.kind === "newsletter" && fileOf(content) !== undefined) throw noFileForChannel();
  const message = await addressed(connector, to, call);
  const { jid, messageId } = message;
  if (to.kind === "newsletter") {
    const { signal, yieldLane } = call;
    await postPlain(connector, jid, { messageId, signal, yieldLane }, () => Promise.resolve(forwarded(content)));
    return { messageId };
  }
  await sendToChat(connector, message, call, (_client, timer) => {
    const copy = forwarded(content);
    if (timer !== undefined) setTimer(copy, timer);
    return Promise.resolve(copy);
  });
  return { messageId };
}
