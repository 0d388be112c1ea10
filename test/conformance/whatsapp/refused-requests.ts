import type { RefusedRequest } from "../platform-under-test.js";
import { unknownValues } from "./unknown-values.js";

const { group, newsletter, phone } = unknownValues;
const recipients = "invalid phone, group or newsletter";
const types = "type must be one of the following values: text, image, video, audio, document, location, contact";
const statusTypes = "type must be one of the following values: text, image, video";
const typingTypes = "type must be one of the following values: text, audio";
const of = (type: string, object?: unknown): object => ({ phone, type, ...(object === undefined ? {} : { [type]: object }) });
const song = { url: "http://example.com/a.mp3", mimetype: "audio/mpeg", duration: 3 };
const option = "each value in options must be a different text of 1 to 100 characters";
const voice = "audio.url should not be empty\naudio.mimetype must be a string\naudio.duration must be a positive number";

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
  ["POST /message", { ...of("text", "x"), replyTo: 5 }, "replyTo must be a string"],
  ["POST /message", { ...of("text", "x"), replyTo: 5, mentions: phone }, "replyTo must be a string\nmentions must be an array"],
  ["POST /message", { ...of("text", ""), mentions: {} }, "text should not be empty\nmentions must be an array"],
  ["POST /message", { ...of("text", "x"), mentions: [phone, group] }, "each value in mentions must be a user"],
  ["POST /message/forward", { phone, ref: "x", type: "text", a: 1 }, "property type should not exist\nproperty a should not exist"],
  ["POST /message/forward", { ref: "x" }, recipients],
  ["POST /message/forward", { phone }, "ref should not be empty"],
  ["POST /message/forward", { phone, ref: " " }, "ref should not be empty"],
  ["POST /message/forward", { phone, ref: 1 }, "ref must be a string"],
  ["POST /message/voice", { phone, audio: song, text: "x" }, "property text should not exist"],
  ["POST /message/voice", { audio: song }, recipients],
  ["POST /message/voice", { phone }, "audio should not be empty"],
  ["POST /message/voice", { phone, audio: [] }, "audio must be an object"],
  ["POST /message/voice", { phone, audio: { url: "", mimetype: 1, duration: 0 } }, voice],
  ["POST /message/sticker", { phone, image: song, text: "x" }, "property text should not exist"],
  ["POST /message/sticker", { image: song }, recipients],
  ["POST /message/sticker", { phone }, "image should not be empty"],
  ["POST /message/sticker", { phone, image: { url: 1 } }, "image.url must be a string\nimage.mimetype should not be empty"],
  ["POST /message/album", { phone, items: [], text: "x" }, "property text should not exist"],
  ["POST /message/album", { items: [] }, recipients],
  ...[undefined, {}, [{ image: song }], Array(11).fill({ image: song })].map(
    (items): RefusedRequest => ["POST /message/album", { phone, items }, "items must have 2 to 10 elements"],
  ),
  ...[null, [], "x", {}, { image: song, video: song }].map(
    (item): RefusedRequest => [
      "POST /message/album",
      { phone, items: [item, { image: song }] },
      "each value in items must have either image or video",
    ],
  ),
  ["POST /message/album", { phone, items: [{ audio: song }, {}] }, "property audio should not exist"],
  ["POST /message/album", { phone, items: [{ image: song }, { image: { ...song, url: "" } }] }, "image.url should not be empty"],
  ["POST /message/poll", { phone, question: "?", options: ["a", "b"], type: "poll" }, "property type should not exist"],
  ["POST /message/poll", { question: "?", options: ["a", "b"] }, recipients],
  ["POST /message/poll", { phone, options: ["a", "b"] }, "question should not be empty"],
  ["POST /message/poll", { phone, question: "?".repeat(256), options: ["a", "b"] }, "question must be at most 255 characters"],
  ...[undefined, "a", ["a"], Array.from({ length: 13 }, String)].map(
    (options): RefusedRequest => ["POST /message/poll", { phone, question: "?", options }, "options must have 2 to 12 elements"],
  ),
  ...[
    ["a", ""],
    ["a", "a"],
    ["a", 1],
    ["a", "b".repeat(101)],
  ].map((options): RefusedRequest => ["POST /message/poll", { phone, question: "?", options }, option]),
  ["POST /message/poll", { phone, question: "?", options: ["a", "b"], multiple: 1 }, "multiple must be true or false"],
  ["POST /message/voice", { newsletter, audio: song }, "channels take no voice messages, stickers, polls or albums"],
  ["POST /message/album", { newsletter, items: [] }, "channels take no voice messages, stickers, polls or albums"],
  ["POST /message/sticker", { newsletter, image: song }, "channels take no voice messages, stickers, polls or albums"],
  ["POST /message/poll", { newsletter, question: "?", options: ["a", "b"] }, "channels take no voice messages, stickers, polls or albums"],
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
