import type { messageTypes } from "../../../../../../shared/contract/message-content.js";

export type ContentType = (typeof messageTypes)[number];

export const contentNames: Readonly<Record<ContentType, string>> = {
  text: "Text",
  image: "Image",
  video: "Video",
  audio: "Audio",
  document: "Document",
  location: "Location",
  contact: "Contact",
};

/** One input of a form; `name` is its path in the request's body, as the API's sentences name it. */
export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly type?: "text" | "url" | "number" | "tel";
  readonly lines?: number;
  readonly hint?: string;
  readonly optional?: true;
}

export type Values = Readonly<Record<string, string>>;

const caption: FormField = { name: "text", label: "Caption", lines: 2, optional: true };
const mediaType = (of: string): FormField => ({ name: `${of}.mimetype`, label: "MIME type" });
const duration = (of: string): FormField => ({ name: `${of}.duration`, label: "Duration (seconds)", type: "number" });
const address = (of: string): FormField => ({
  name: `${of}.url`,
  label: "File URL",
  type: "url",
  hint: "A public, direct link. The gateway downloads the file.",
});
const thumbnail = (of: string): FormField => ({ name: `${of}.thumbnail`, label: "Thumbnail URL", type: "url", optional: true });

/** Form fields of each message type. */
export const messageForms: Readonly<Record<ContentType, readonly FormField[]>> = {
  text: [{ name: "text", label: "Text", lines: 4 }],
  image: [address("image"), mediaType("image"), caption, thumbnail("image")],
  video: [address("video"), mediaType("video"), duration("video"), caption, thumbnail("video")],
  audio: [address("audio"), mediaType("audio"), duration("audio")],
  document: [
    address("document"),
    { name: "document.name", label: "File name" },
    { name: "document.size", label: "Size (bytes)", type: "number" },
    mediaType("document"),
    caption,
  ],
  location: [
    { name: "location.latitude", label: "Latitude", type: "number" },
    { name: "location.longitude", label: "Longitude", type: "number" },
    { name: "location.name", label: "Place name", optional: true },
    { name: "location.address", label: "Address", optional: true },
  ],
  contact: [
    { name: "contact.name", label: "Name" },
    { name: "contact.phone", label: "Phone number", type: "tel" },
  ],
};

/** What a story is made of: on Telegram the platform makes an image's thumbnail itself. */
export const storyTypes = ["text", "image", "video"] as const satisfies readonly ContentType[];

/** Returns the request body without empty fields. The API reports missing ones. Pure. */
export function bodyOf(fields: readonly FormField[], values: Values): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const { name, type } of fields) {
    const text = values[name] ?? "";
    if (text === "") continue;
    const [head = "", tail] = name.split(".");
    const value = type === "number" && text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
    if (tail === undefined) body[head] = value;
    else body[head] = { ...Object(body[head]), [tail]: value };
  }
  return body;
}

/** Returns only the values of these fields, so that nothing of another type is kept. Pure. */
export function withFieldsOf(fields: readonly FormField[], values: Values): Values {
  const names = new Set(fields.map(({ name }) => name));
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.has(name)));
}

/** Returns sample files of the sandbox with their properties. */
export function sampleOf(type: ContentType, files: string): Values {
  const media = (name: string, mimetype: string, more: Values = {}): Values =>
    Object.fromEntries(Object.entries({ url: files + name, mimetype, ...more }).map(([field, value]) => [`${type}.${field}`, value]));
  switch (type) {
    case "text":
      return { text: "Hello 👋 नमस्ते 你好" };
    case "image":
      return { ...media("photo.jpg", "image/jpeg"), text: "A picture" };
    case "video":
      return { ...media("video.mp4", "video/mp4", { duration: "3" }), text: "A three-second video" };
    case "audio":
      return media("audio.mp3", "audio/mpeg", { duration: "3" });
    case "document":
      return media("document.pdf", "application/pdf", { name: "Sample.pdf", size: "1024" });
    case "location":
      return {
        "location.latitude": "52.5163",
        "location.longitude": "13.3777",
        "location.name": "Brandenburger Tor",
        "location.address": "Pariser Platz, Berlin",
      };
    case "contact":
      return { "contact.name": "Bob Builder", "contact.phone": "+1 555 010 0002" };
    default:
      return type satisfies never;
  }
}
