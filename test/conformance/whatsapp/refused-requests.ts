import type { RefusedRequest } from "../platform-under-test.js";
import { nobody } from "./nobody.js";

const { group, newsletter, phone } = nobody;
const recipients = "invalid phone, group or newsletter";
const types = "type must be one of the following values: text, image, video, audio, document, location, contact";
const statusTypes = "type must be one of the following values: text, image, video";
const typingTypes = "type must be one of the following values: text, audio";
const of = (type: string, object?: unknown): object => ({ phone, type, ...(object === undefined ? {} : { [type]: object }) });
const photo = { url: "http://example.com/a.jpg", mimetype: "image/jpeg" };
const film = { url: "http://example.com/a.mp4", mimetype: "video/mp4", duration: 3 };
const song = { url: "http://example.com/a.mp3", mimetype: "audio/mpeg", duration: 3 };
const paper = { url: "http://example.com/a.pdf", name: "a.pdf", size: 3, mimetype: "application/pdf" };
const place = { latitude: 1, longitude: 1 };

/** Variant A, "Errors", 400; each required field of each object: contract/whatsapp/required-fields. */
export const refusedRequests: readonly RefusedRequest[] = [
  ["POST /message", undefined, recipients],
  ["POST /message", { type: "text", text: "x" }, recipients],
  ["POST /message", { phone: "", type: "text", text: "x" }, recipients],
  ["POST /message", { phone: "nobody", type: "text", text: "x" }, recipients],
  ["POST /message", { group: newsletter, phone, type: "text", text: "x" }, recipients],
  ["POST /message", { newsletter: group, phone, type: "text", text: "x" }, recipients],
  ["POST /message", { phone }, "type should not be empty"],
  ["POST /message", { phone, type: null }, "type should not be empty"],
  ["POST /message", { phone, type: "" }, "type should not be empty"],
  ["POST /message", { phone, type: ["text"] }, types],
  ["POST /message", of("poll"), types],
  ["POST /message", of("text"), "text should not be empty"],
  ["POST /message", of("text", ""), "text should not be empty"],
  ["POST /message", of("text", "   "), "text should not be empty"],
  ["POST /message", of("image"), "image should not be empty"],
  ["POST /message", of("video"), "video should not be empty"],
  ["POST /message", of("audio"), "audio should not be empty"],
  ["POST /message", of("document"), "document should not be empty"],
  ["POST /message", of("location"), "location should not be empty"],
  ["POST /message", of("contact"), "contact should not be empty"],
  ["POST /message", of("image", { ...photo, url: "" }), "image.url should not be empty"],
  ["POST /message", of("image", { ...photo, mimetype: "" }), "image.mimetype should not be empty"],
  ["POST /message", of("video", { ...film, duration: undefined }), "video.duration should not be empty"],
  ["POST /message", of("video", { ...film, duration: 0 }), "video.duration must be a positive number"],
  ["POST /message", of("audio", { ...song, duration: -1 }), "audio.duration must be a positive number"],
  ["POST /message", of("document", { ...paper, name: "" }), "document.name should not be empty"],
  ["POST /message", of("document", { ...paper, size: 0 }), "document.size must be a positive number"],
  ["POST /message", of("location", { ...place, latitude: 0 }), "location.latitude should not be empty"],
  ["POST /message", of("location", { ...place, longitude: 0 }), "location.longitude should not be empty"],
  ["POST /message", of("contact", { name: "Ada" }), "contact.phone should not be empty"],
  ["POST /message", of("contact", { phone }), "contact.name should not be empty"],
  ["POST /message", "[]", "body must be an object"],
  ["POST /message", '{"phone":', "body must be valid JSON"],
  ["POST /status", {}, "type should not be empty"],
  ["POST /status", { type: "audio" }, statusTypes],
  ["POST /status", { type: "text" }, "text should not be empty"],
  ["POST /status", { type: "image" }, "image should not be empty"],
  ["POST /status", { type: "video" }, "video should not be empty"],
  [
    "POST /status",
    { type: "video", video: {} },
    "video.url should not be empty\nvideo.mimetype should not be empty\nvideo.duration should not be empty",
  ],
  ["POST /typing", {}, "invalid phone or group"],
  ["POST /typing", { newsletter }, "invalid phone or group"],
  ["POST /typing", { phone, type: "video" }, typingTypes],
  ["POST /typing", { phone, type: 0 }, typingTypes],
  ["GET /group/member", undefined, "groupId should not be empty\ngroupId must be a string"],
  ["GET /group/member?groupId=", undefined, "groupId should not be empty"],
  ["GET /group/member?groupId=1", undefined, "groupId must be a group id that ends in @g.us"],
  ["GET /group/1", undefined, "groupId must be a group id that ends in @g.us"],
  ["GET /channel/message", undefined, "channelId should not be empty\nchannelId must be a string"],
  [`GET /channel/message?channelId=${newsletter}&limit=0`, undefined, "limit must be an integer from 1 to 100"],
];
