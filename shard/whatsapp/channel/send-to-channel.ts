import { encodeNewsletterMessage, proto } from "@whiskeysockets/baileys";
import type { MessageInput } from "../../../shared/contract/whatsapp/message.js";
import type { Client } from "../client.js";
import { withFile } from "../../files/download/fetch-file.js";
import { sourceOf, toMediaContent, type MediaFields } from "../media/media-content.js";
import type { Thumbnails } from "../media/thumbnail.js";
import { inCaptionEnvelope } from "../message/caption-envelope.js";
import { sentEntry } from "../history/sent-entry.js";
import { compose, toPlainContent } from "../message/compose.js";
import { sendUntilAccepted, type OutgoingMessage } from "../message/send-until-accepted.js";
import type { WhatsAppConnector } from "../connector.js";
import { uploadPlain } from "./upload-plain.js";

/**
 * Sends to a channel, whose messages are not encrypted. The library sends text well; its media stanzas have a wrong path and missing
 * attributes (479), so media is uploaded and its stanza written here.
 */
export async function sendToChannel(
  connector: WhatsAppConnector,
  jid: string,
  input: MessageInput,
  thumbnails: Thumbnails,
  { messageId, yieldLane }: Pick<OutgoingMessage, "messageId" | "yieldLane">,
): Promise<string> {
  const { signal } = thumbnails;
  if (input.type === "text" || input.type === "location" || input.type === "contact") {
    return postPlain(connector, jid, { messageId, signal, yieldLane }, (client) =>
      compose(client, jid, toPlainContent(input), { messageId, signal }),
    );
  }
  let handle = "";
  return sendUntilAccepted({
    connector,
    messageId,
    signal,
    yieldLane,
    costly: false,
    keep: false,
    entry: () => sentEntry(connector, jid, messageId),
    compose: async (client) => {
      const composed = await composePlain(client, input, thumbnails);
      handle = composed.handle;
      return composed.message;
    },
    write: (client, message) => writePlain(client, jid, messageId, message, input.type, handle),
  });
}

/** Sends content without a file to a channel. */
export function postPlain(
  connector: WhatsAppConnector,
  jid: string,
  { messageId, signal, yieldLane }: Pick<OutgoingMessage, "messageId" | "signal" | "yieldLane">,
  composed: (client: Client) => Promise<proto.IMessage>,
): Promise<string> {
  return sendUntilAccepted({
    connector,
    messageId,
    signal,
    yieldLane,
    costly: false,
    keep: false,
    entry: () => sentEntry(connector, jid, messageId),
    compose: composed,
    // The library gives a contact no media type, and without one the server rejects the stanza as a broken file.
    write: (client, message) =>
      message.contactMessage || message.contactsArrayMessage
        ? writePlain(client, jid, messageId, message, "vcard", "")
        : client.relay(jid, message, { messageId }),
  });
}

function writePlain(
  client: Client,
  jid: string,
  messageId: string,
  message: proto.IMessage,
  mediatype: string,
  handle: string,
): Promise<void> {
  return client.sock.sendNode({
    tag: "message",
    attrs: { id: messageId, to: jid, type: "media", ...(handle === "" ? {} : { media_id: handle }) },
    content: [{ tag: "plaintext", attrs: { mediatype }, content: encodeNewsletterMessage(message) }],
  });
}

async function composePlain(
  client: Client,
  input: MediaFields,
  thumbnails: Thumbnails,
): Promise<{ message: proto.IMessage; handle: string }> {
  const { url, maxBytes } = sourceOf(input);
  return withFile(thumbnails, url, maxBytes, async (file) => {
    const content = await toMediaContent(thumbnails, input, file);
    const { handle, ...upload } = await uploadPlain(client, input.type, file, thumbnails.signal);
    // With a key or a `url`, clients would take the file for an encrypted one, so both are left out.
    const fields = { ...content, ...upload };
    return { handle, message: inCaptionEnvelope(proto.Message.fromObject({ [`${input.type}Message`]: fields })) };
  });
}
