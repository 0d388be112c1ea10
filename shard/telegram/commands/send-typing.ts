import { Api } from "telegram";
import type { CommandCall } from "../../session/command.js";
import type { SessionReference } from "../../../shared/contract/session.js";
import type { TypingInput } from "../../../shared/contract/telegram/typing.js";
import { findReceiver, receiverError } from "../message/find-receiver.js";
import { toInputPeer } from "../peers.js";
import type { TelegramConnector } from "../connector.js";

/** POST /typing: shows the indicator. The platform hides it after some 6 seconds, or when a message comes. */
export async function sendTyping(
  connector: TelegramConnector,
  { to, type }: TypingInput,
  { signal }: CommandCall,
): Promise<SessionReference> {
  const client = connector.connected();
  const peer = await findReceiver(connector, client, to, { signal });
  const action = type === "audio" ? new Api.SendMessageRecordAudioAction() : new Api.SendMessageTypingAction();
  try {
    await client.invoke(new Api.messages.SetTyping({ peer: toInputPeer(peer), action }), { signal });
  } catch (error) {
    throw await receiverError(connector, client, { to, peer, signal }, error);
  }
  return { id: connector.id };
}
