import { Api } from "telegram";
import type { CommandCall } from "../../session/command.js";
import type { SessionReference } from "../../../shared/contract/session.js";
import { chatNotFound } from "../../../shared/contract/telegram/errors.js";
import type { BlockInput } from "../../../shared/contract/telegram/message.js";
import { splitMarkedId } from "../chats/chat-reference.js";
import { findReceiver } from "../message/find-receiver.js";
import { applyChange, repeatChange } from "../message/repeat-change.js";
import { toInputPeer } from "../peers.js";
import type { TelegramConnector } from "../connector.js";

/** POST /block. Blocking a person again changes nothing. */
export function blockPerson(connector: TelegramConnector, input: BlockInput, call: CommandCall): Promise<SessionReference> {
  return changeBlock(connector, input, call, (id) => new Api.contacts.Block({ id }));
}

/** DELETE /block. */
export function unblockPerson(connector: TelegramConnector, input: BlockInput, call: CommandCall): Promise<SessionReference> {
  return changeBlock(connector, input, call, (id) => new Api.contacts.Unblock({ id }));
}

async function changeBlock(
  connector: TelegramConnector,
  { to }: BlockInput,
  call: CommandCall,
  requestOf: (id: Api.TypeInputPeer) => Api.contacts.Block | Api.contacts.Unblock,
): Promise<SessionReference> {
  await repeatChange(connector, call, async (each) => {
    const peer = await findReceiver(connector, each.client, to, each);
    // A username may belong to a group or channel.
    if (splitMarkedId(peer.id).kind !== "user") throw chatNotFound();
    await applyChange(connector, requestOf(toInputPeer(peer)), each);
  });
  return { id: connector.id };
}
