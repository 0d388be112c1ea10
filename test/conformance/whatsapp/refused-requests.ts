import type { RefusedRequest } from "../platform-under-test.js";
import { nobody } from "./nobody.js";

const { group, newsletter, phone } = nobody;
const recipients = "invalid phone, group or newsletter";
const types = "type must be one of the following values: text, image, video, audio, document, location, contact";
const statusTypes = "type must be one of the following values: text, image, video";
const typingTypes = "type must be one of the following values: text, audio";
const of = (type: string, object?: unknown): object => ({ phone, type, ...(object === undefined ? {} : { [type]: object }) });
const song = { url: "http://example.com/a.mp3", mimetype: "audio/mpeg", duration: 3 };

/** The 400 rows of variant A, section "Errors". Bodies that are no object, and required fields, have their own tests. */
export const refusedRequests: readonly RefusedRequest[] = [
  ["POST /message", undefined, recipients],
  ["POST /message", { phone: "", type: "text", text: "x" }, recipients],
  ["POST /message", { phone: "nobody", type: "text", text: "x" }, recipients],
  ["POST /message", { group: newsletter, phone, type: "text", text: "x" }, recipients],
  ["POST /message", { newsletter: group, phone, type: "text", text: "x" }, recipients],
  ["POST /message", { phone }, "type should not be empty"],
  ["POST /message", { phone, type: null }, "type should not be empty"],
  ["POST /message", { phone, type: "" }, "type should not be empty"],
  ["POST /message", { phone, type: ["text"] }, types],
  ["POST /message", of("poll"), types],
  ["POST /message", of("text", "   "), "text should not be empty"],
  ["POST /message", of("audio", { ...song, duration: -1 }), "audio.duration must be a positive number"],
  ["POST /message/reaction", undefined, recipients],
  ["POST /message/reaction", { phone }, "messageId should not be empty\nemoji must be a string"],
  ["POST /message/reaction", { phone, messageId: "1", emoji: null }, "emoji must be a string"],
  ["POST /message/reaction", { phone, messageId: 1, emoji: "👍" }, "messageId must be a string"],
  ["POST /message/reaction", { phone, messageId: "1", emoji: "👍".repeat(17) }, "emoji must be at most 64 bytes"],
  ["POST /message/reaction", { phone, messageId: "1", emoji: "👍", author: "bob" }, "author must be the id of a person"],
  ["POST /message/reaction", { phone, messageId: "1", emojy: "👍" }, "property emojy should not exist"],
  ["POST /message/read", {}, recipients],
  ["POST /message/read", { phone }, "messageId should not be empty"],
  ["POST /message/read", { phone, messageId: 1, author: 1 }, "messageId must be a string\nauthor must be a string"],
  ["POST /message/read", { phone, messageId: "1", until: "1" }, "property until should not exist"],
  ["PATCH /message/3EB0", { text: "x" }, recipients],
  ["PATCH /message/%20", { phone }, "messageId should not be empty\ntext should not be empty"],
  ["PATCH /message/3EB0", { phone, text: " " }, "text should not be empty"],
  ["PATCH /message/3EB0", { phone, text: 5 }, "text must be a string"],
  ["PATCH /message/3EB0", { phone, text: "x", parseMode: "html" }, "property parseMode should not exist"],
  ["DELETE /message/3EB0", undefined, recipients],
  [`DELETE /message/3EB0?phone=${phone}&phone=${phone}`, undefined, recipients],
  [`DELETE /message/%20?phone=${phone}&author=`, undefined, "messageId should not be empty"],
  [`DELETE /message/3EB0?phone=${phone}&author=bob`, undefined, "author must be the id of a person"],
  [`DELETE /message/3EB0?phone=${phone}&id=1`, undefined, "property id should not exist"],
  ["POST /status", {}, "type should not be empty"],
  ["POST /status", { type: "audio" }, statusTypes],
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
