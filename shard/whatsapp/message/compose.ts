import { generateWAMessageContent, type AnyMessageContent, type proto } from "@whiskeysockets/baileys";
import type { MessageInput } from "../../../shared/contract/whatsapp/message.js";
import type { Client } from "../client.js";
import { withFile } from "../../files/download/fetch-file.js";
import { sourceOf, toMediaContent } from "../media/media-content.js";
import type { Thumbnails } from "../media/thumbnail.js";
import { uploadEncrypted } from "../media/upload-encrypted.js";
import { ConnectionLost } from "../network/connection-error.js";
import { silentLogger } from "../network/silent-logger.js";
import { inCaptionEnvelope } from "./caption-envelope.js";
import { addContext } from "./context-info.js";
import { setTimer, type Timer } from "./disappearing.js";
import { toVcard } from "./vcard.js";

/** Options of the library that only some messages have. */
export interface ComposeOptions {
  readonly messageId: string;
  readonly signal: AbortSignal;
  /** The timer of the chat's disappearing messages. */
  readonly timer?: Timer | undefined;
  /** The message that is replied to, and the people that the text mentions. */
  readonly context?: proto.IContextInfo | undefined;
  readonly backgroundColor?: string;
  readonly font?: number;
}

/** Builds the content of a message for people and groups. Downloads, encrypts and uploads its media. */
export async function composeMessage(
  client: Client,
  jid: string,
  input: MessageInput,
  thumbnails: Thumbnails,
  { messageId, timer, context }: Pick<ComposeOptions, "messageId" | "timer" | "context">,
): Promise<proto.IMessage> {
  const options = { messageId, timer, context, signal: thumbnails.signal };
  switch (input.type) {
    case "text":
    case "location":
    case "contact":
      return compose(client, jid, toPlainContent(input), options);
    case "image":
    case "video":
    case "audio":
    case "document": {
      const { url, maxBytes } = sourceOf(input);
      return withFile(thumbnails, url, maxBytes, async (file) =>
        compose(client, jid, await toMediaContent(thumbnails, input, file), options),
      );
    }
    default:
      return input satisfies never;
  }
}

/** Converts the library's form of a content to the platform's. */
export async function compose(
  client: Client,
  jid: string,
  content: AnyMessageContent,
  { signal, timer, context, ...options }: ComposeOptions,
): Promise<proto.IMessage> {
  if (!client.alive) throw new ConnectionLost(undefined);
  const message: proto.IMessage = await generateWAMessageContent(content, {
    logger: silentLogger,
    jid,
    upload: uploadEncrypted(client, signal),
    ...options,
  });
  if (context !== undefined) addContext(message, context);
  if (timer !== undefined) setTimer(message, timer);
  return inCaptionEnvelope(message);
}

type PlainInput = Extract<MessageInput, { type: "text" | "location" | "contact" }>;
export type PlainFields = PlainInput extends infer One ? (One extends PlainInput ? Omit<One, "to"> : never) : never;

/**
 * Builds content that needs no file. A given `linkPreview` keeps the library from fetching the URLs in a text, which a stranger may have
 * chosen.
 */
export function toPlainContent(input: PlainFields): AnyMessageContent {
  switch (input.type) {
    case "text":
      return { text: input.text, linkPreview: null };
    case "location": {
      const { latitude, longitude, name, address } = input.location;
      return {
        location: { degreesLatitude: latitude, degreesLongitude: longitude, ...(name ? { name } : {}), ...(address ? { address } : {}) },
      };
    }
    case "contact":
      return {
        contacts: { displayName: input.contact.name, contacts: [{ displayName: input.contact.name, vcard: toVcard(input.contact) }] },
      };
    default:
      return input satisfies never;
  }
}
