import { Api } from "telegram";
import type { Person, PrivateMessage } from "../../../shared/contract/telegram/webhook-body.js";
import { editedAt, isoDate } from "../convert.js";
import { mediaFields, type MessageLink } from "./message-media.js";
import { textEntities } from "./text-entities.js";

export function toPrivateMessage(message: Api.Message, chat: Person, fromMe: boolean, link: MessageLink): PrivateMessage {
  const { type, ...file } = mediaFields(message, link);
  return {
    id: String(message.id),
    chat,
    fromMe,
    type,
    text: message.message,
    entities: textEntities(message),
    albumId: message.groupedId?.toString() ?? "",
    created: isoDate(message.date),
    edited: editedAt(message),
    replyTo: replyToId(message),
    ...file,
    ...placeFields(message.media),
    ...contactFields(message.media),
    ...pollFields(message.media),
  };
}

/**
 * Returns the id of the message that this one replies to. Empty for a reply to a message of another chat, whose id means nothing here, and
 * for a message of a topic that replies to no message: its header has the id of the topic.
 */
function replyToId({ replyTo }: Api.Message): string {
  if (!(replyTo instanceof Api.MessageReplyHeader) || !replyTo.replyToMsgId || replyTo.replyToPeerId) return "";
  return replyTo.forumTopic === true && !replyTo.replyToTopId ? "" : String(replyTo.replyToMsgId);
}

function placeFields(media: Api.TypeMessageMedia | null | undefined): Partial<Pick<PrivateMessage, "type" | "location">> {
  if (
    !(media instanceof Api.MessageMediaGeo || media instanceof Api.MessageMediaGeoLive || media instanceof Api.MessageMediaVenue) ||
    !(media.geo instanceof Api.GeoPoint)
  )
    return {};
  const { lat: latitude, long: longitude } = media.geo;
  const { title: name, address } = media instanceof Api.MessageMediaVenue ? media : { title: "", address: "" };
  return { type: "location", location: { latitude, longitude, name, address } };
}

function contactFields(media: Api.TypeMessageMedia | null | undefined): Partial<Pick<PrivateMessage, "type" | "contact">> {
  if (!(media instanceof Api.MessageMediaContact)) return {};
  return { type: "contact", contact: { name: [media.firstName, media.lastName].filter(Boolean).join(" "), phone: media.phoneNumber } };
}

function pollFields(media: Api.TypeMessageMedia | null | undefined): Partial<Pick<PrivateMessage, "poll">> {
  if (!(media instanceof Api.MessageMediaPoll)) return {};
  const { question, answers, multipleChoice } = media.poll;
  return { poll: { question: question.text, options: answers.map(({ text }) => text.text), multiple: multipleChoice === true } };
}
