import { Api } from "telegram";
import type { CommandCall } from "../../session/command.js";
import type { MessageOutput } from "../../../shared/contract/message-content.js";
import { chatNotFound, invalidRef } from "../../../shared/contract/telegram/errors.js";
import type { ForwardInput } from "../../../shared/contract/telegram/message.js";
import { deliver } from "../message/deliver.js";
import { toInputPeer } from "../peers.js";
import type { TelegramConnector } from "../connector.js";

/** POST /message/forward: forwards a message that the account can see. The platform copies its file. */
export async function forwardMessage(connector: TelegramConnector, { to, ref }: ForwardInput, call: CommandCall): Promise<MessageOutput> {
  const head = connector.refs.open(ref);
  if (head === undefined) throw invalidRef();
  return deliver(connector, to, call, async (_transfer, receiver, randomId) => {
    const from = await connector.peers.find(head.chat);
    if (from === undefined) throw chatNotFound();
    const peers = { fromPeer: toInputPeer(from), toPeer: toInputPeer(receiver) };
    return new Api.messages.ForwardMessages({ ...peers, id: [Number(head.id)], randomId: [randomId] });
  });
}
