import type { CommandCall } from "../../session/command.js";
import type { MessageOutput } from "../../../shared/contract/message-content.js";
import type { VoiceInput } from "../../../shared/contract/whatsapp/message.js";
import { mediaMaxBytes, withFile } from "../../files/download/fetch-file.js";
import { requireVoice } from "../../files/download/require-voice.js";
import type { WhatsAppConnector } from "../connector.js";
import { toSeconds } from "../media/media-content.js";
import { compose } from "../message/compose.js";
import { addressed, sendToChat } from "./send-to-chat.js";

/** POST /message/voice: sends an Ogg file with Opus as a voice message. */
export async function sendVoice(connector: WhatsAppConnector, { to, audio }: VoiceInput, call: CommandCall): Promise<MessageOutput> {
  const { signal } = call;
  const message = await addressed(connector, to, call);
  const { jid, messageId } = message;
  const fetching = { downloads: connector.services.downloads, key: connector.id, signal };
  await sendToChat(connector, message, call, (client, timer) =>
    withFile(fetching, audio.url, mediaMaxBytes, async (file) => {
      await requireVoice(file);
      const shown = { mimetype: "audio/ogg; codecs=opus", seconds: toSeconds(audio.duration), ptt: true };
      // A given waveform keeps the library from decoding the file.
      const content = { audio: { url: file.path }, ...shown, waveform: new Uint8Array() };
      return compose(client, jid, content, { messageId, timer, signal });
    }),
  );
  return { messageId };
}
