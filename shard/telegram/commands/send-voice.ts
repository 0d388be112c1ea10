import { Api } from "telegram";
import type { CommandCall } from "../../session/command.js";
import type { MessageOutput } from "../../../shared/contract/message-content.js";
import type { VoiceInput } from "../../../shared/contract/telegram/message.js";
import type { TelegramConnector } from "../connector.js";
import { deliver } from "../message/deliver.js";
import { uploadVoice } from "../message/upload-media.js";
import { toInputPeer } from "../peers.js";

/** POST /message/voice: sends an Ogg file with Opus as a voice message. */
export async function sendVoice(connector: TelegramConnector, { to, audio }: VoiceInput, call: CommandCall): Promise<MessageOutput> {
  return deliver(connector, to, call, async (transfer, receiver, randomId) => {
    const media = await uploadVoice(transfer, audio);
    return new Api.messages.SendMedia({ peer: toInputPeer(receiver), randomId, media, message: "" });
  });
}
