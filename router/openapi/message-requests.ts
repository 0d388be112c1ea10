import type { RequestText } from "./call-text.js";
import type {
  AudioContentForm,
  ContactContentForm,
  DocumentContentForm,
  ImageContentForm,
  LocationContentForm,
  TextForm,
  VideoContentForm,
} from "../api/message/content-forms.js";

type Content =
  | TextForm
  | ImageContentForm
  | VideoContentForm
  | AudioContentForm
  | DocumentContentForm
  | LocationContentForm
  | ContactContentForm;

const contents = {
  text: { summary: "Text", body: { type: "text", text: "Your order is on its way" } },
  image: {
    summary: "Image with a caption",
    body: { type: "image", text: "New today", image: { url: "https://example.com/cake.jpg", mimetype: "image/jpeg" } },
  },
  video: {
    summary: "Video with a thumbnail",
    body: {
      type: "video",
      video: {
        url: "https://example.com/oven.mp4",
        mimetype: "video/mp4",
        duration: 12,
        thumbnail: "https://example.com/oven.jpg",
      },
    },
  },
  audio: {
    summary: "Audio",
    body: { type: "audio", audio: { url: "https://example.com/jingle.mp3", mimetype: "audio/mpeg", duration: 7 } },
  },
  document: {
    summary: "Document",
    body: {
      type: "document",
      text: "Your invoice",
      document: { url: "https://example.com/invoice.pdf", name: "invoice.pdf", size: 48_213, mimetype: "application/pdf" },
    },
  },
  location: {
    summary: "Location",
    body: {
      type: "location",
      location: { latitude: 48.2082, longitude: 16.3738, name: "Shop", address: "Stephansplatz 1, Vienna" },
    },
  },
  contact: { summary: "Contact", body: { type: "contact", contact: { name: "Carol", phone: "15550100003" } } },
} as const satisfies Readonly<Record<Content["type"], RequestText<Content>>>;

/** Example of a status or story for each type. */
export const statusRequests = {
  text: { summary: "Text", body: { type: "text", text: "We are open until eight" } },
  image: contents.image,
  video: {
    summary: "Video",
    body: { type: "video", video: { url: "https://example.com/oven.mp4", mimetype: "video/mp4", duration: 12 } },
  },
} as const satisfies Readonly<Record<string, RequestText<Content>>>;

/** Returns examples of the calls for what no `type` of a message has. */
export function voiceRequests<Recipient extends object>(to: Recipient) {
  const audio = { url: "https://example.com/voice.ogg", mimetype: "audio/ogg; codecs=opus", duration: 2 };
  return { voice: { summary: "Voice message", body: { ...to, audio } } };
}

export function stickerRequests<Recipient extends object>(to: Recipient) {
  const image = { url: "https://example.com/cake.jpg", mimetype: "image/jpeg" };
  return { sticker: { summary: "Sticker", body: { ...to, image } } };
}

export function albumRequests<Recipient extends object>(to: Recipient) {
  const image = { url: "https://example.com/cake.jpg", mimetype: "image/jpeg", thumbnail: "https://example.com/oven.jpg" };
  const video = { url: "https://example.com/oven.mp4", mimetype: "video/mp4", duration: 12, thumbnail: "https://example.com/oven.jpg" };
  return {
    album: {
      summary: "Album",
      body: {
        ...to,
        items: [
          { text: "New today", image },
          { text: "Fresh from the oven", video },
        ],
      },
    },
  };
}

export function pollRequests<Recipient extends object>(to: Recipient) {
  const question = "When do we meet?";
  return {
    one: { summary: "One choice", body: { ...to, question, options: ["At seven", "At eight"] } },
    several: { summary: "Several choices", body: { ...to, question, options: ["On Monday", "On Tuesday", "On Friday"], multiple: true } },
  };
}

/** Examples of a reaction to the message. */
export function reactionRequests<Recipient extends object>(
  to: Recipient,
  messageId: string,
): Record<"react" | "remove", RequestText<Recipient & { messageId: string; emoji: string }>> {
  return {
    react: { summary: "React", body: { ...to, messageId, emoji: "👍" } },
    remove: { summary: "Remove the reaction", body: { ...to, messageId, emoji: "" } },
  };
}

export function typingRequests<Recipient extends object>(
  to: Recipient,
): Record<"text" | "audio", RequestText<Recipient & { type?: "audio" }>> {
  return {
    text: { summary: "Typing", body: to },
    audio: { summary: "Recording a voice note", body: { ...to, type: "audio" } },
  };
}

/** Returns an example for each message type. Both variants accept the same content. */
export function mediaRequests<Recipient extends object>(to: Recipient): Record<Content["type"], RequestText<Content & Recipient>> {
  const { text, image, video, audio, document, location, contact } = contents;
  const sent = <One extends Content>({ summary, body }: RequestText<One>): RequestText<One & Recipient> => ({
    summary,
    body: { ...to, ...body },
  });
  return {
    text: sent(text),
    image: sent(image),
    video: sent(video),
    audio: sent(audio),
    document: sent(document),
    location: sent(location),
    contact: sent(contact),
  };
}
