import { getContentType, proto } from "@whiskeysockets/baileys";
import type { WhatsAppMessage } from "../../../shared/contract/whatsapp/webhook-body.js";
import { pollContentOf } from "./known-polls.js";
import { shownText } from "./shown-text.js";

/** The part of a message's record that follows from its content alone. Its file is described by `fileOf`. */
export type DescribedContent = Omit<WhatsAppMessage, "id" | "chat" | "author" | "fromMe" | "created" | "edited" | "viewOnce" | FileField>;
export type FileField = "url" | "thumbnail" | "mimetype" | "name" | "size";

/** Describes a message's content. Pure; numbers and lists of a hostile sender are bounded. */
export function describeContent(message: proto.IMessage, viewOnce: boolean): DescribedContent {
  const type = getContentType(message);
  const context = contextOf(message, type);
  const common: DescribedContent = {
    type: "other",
    text: "",
    entities: [],
    mentions: (context?.mentionedJid ?? []).slice(0, mentionsMax),
    albumId: albumOf(message),
    replyTo: context?.stanzaId ?? "",
    forwarded: context?.isForwarded === true,
    duration: 0,
    width: 0,
    height: 0,
    voice: false,
    round: false,
    animation: false,
    title: "",
    performer: "",
  };
  return viewOnce ? common : { ...common, ...detailsOf(message, type) };
}

function detailsOf(message: proto.IMessage, type: keyof proto.IMessage | undefined): Partial<DescribedContent> {
  const { imageMessage, videoMessage, ptvMessage, audioMessage, documentMessage, stickerMessage } = message;
  switch (type) {
    case "conversation":
    case "extendedTextMessage":
      return { type: "text", text: message.conversation ?? message.extendedTextMessage?.text ?? "" };
    case "imageMessage":
      return { type: "image", text: imageMessage?.caption ?? "", ...pixels(imageMessage) };
    case "videoMessage":
    case "ptvMessage": {
      const video = videoMessage ?? ptvMessage;
      const facts = { ...pixels(video), duration: count(video?.seconds) };
      return { type: "video", text: video?.caption ?? "", ...facts, animation: video?.gifPlayback === true, round: type === "ptvMessage" };
    }
    case "audioMessage":
      return { type: "audio", duration: count(audioMessage?.seconds), voice: audioMessage?.ptt === true };
    case "documentMessage":
      return {
        type: "document",
        text: documentMessage?.caption ?? "",
      };
    case "stickerMessage":
      return { type: "sticker", ...pixels(stickerMessage), animation: stickerMessage?.isAnimated === true };
    case "locationMessage":
    case "liveLocationMessage":
      return locationOf(message);
    case "contactMessage":
    case "contactsArrayMessage":
      return contactOf(message);
    default:
      return pollOf(message) ?? { text: shownText(message) };
  }
}

function locationOf({ locationMessage, liveLocationMessage }: proto.IMessage): Partial<DescribedContent> {
  const { degreesLatitude, degreesLongitude } = locationMessage ?? liveLocationMessage ?? {};
  const location = {
    latitude: degrees(degreesLatitude),
    longitude: degrees(degreesLongitude),
    name: locationMessage?.name ?? "",
    address: locationMessage?.address ?? "",
  };
  return { type: "location", text: locationMessage?.comment ?? liveLocationMessage?.caption ?? "", location };
}

/** Describes the first contact of several. `waid` is the number of the contact's account; the value may be written as at home. */
function contactOf({ contactMessage, contactsArrayMessage }: proto.IMessage): Partial<DescribedContent> {
  const contact = contactMessage ?? contactsArrayMessage?.contacts?.[0];
  const card = contact?.vcard ?? "";
  const [, parameters = "", value = ""] = /^(?:[\w-]{1,64}\.)?TEL(;[^:\n]{0,200})?:([^\r\n]{1,64})/im.exec(card) ?? [];
  const phone = /;waid=([0-9]{5,15})(?:;|$)/i.exec(parameters)?.[1] ?? value.replace(/;.*$/, "").replace(/[^0-9]/g, "");
  return { type: "contact", contact: { name: contact?.displayName ?? "", phone } };
}

function pollOf(message: proto.IMessage): Partial<DescribedContent> | undefined {
  const poll = pollContentOf(message);
  if (!poll) return undefined;
  const options = (poll.options ?? []).slice(0, optionsMax).map(({ optionName }) => optionName ?? "");
  return { type: "poll", text: poll.name ?? "", poll: { options, multiple: poll.selectableOptionsCount !== 1 } };
}

/** Other associations, such as a second upload of the same picture, have a parent too. */
function albumOf({ messageContextInfo }: proto.IMessage): string {
  const association = messageContextInfo?.messageAssociation;
  const isAlbum = association?.associationType === proto.MessageAssociation.AssociationType.MEDIA_ALBUM;
  return isAlbum ? (association.parentMessageKey?.id ?? "") : "";
}

function pixels(
  picture: { readonly width?: number | null; readonly height?: number | null } | null | undefined,
): Pick<DescribedContent, "width" | "height"> {
  return { width: count(picture?.width), height: count(picture?.height) };
}

function contextOf(message: proto.IMessage, type: keyof proto.IMessage | undefined): proto.IContextInfo | undefined {
  const content: unknown = type === undefined ? undefined : message[type];
  if (typeof content !== "object" || content === null || !("contextInfo" in content)) return undefined;
  return (content as { readonly contextInfo?: proto.IContextInfo | null }).contextInfo ?? undefined;
}

/** A length is a 64-bit number of the library's own type. */
function count(value: unknown): number {
  const number = Number(value ?? 0);
  return Number.isSafeInteger(number) && number > 0 ? number : 0;
}

function degrees(value: number | null | undefined): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}

const mentionsMax = 1_000;
const optionsMax = 100;
