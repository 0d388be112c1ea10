import type { RefusedRequest } from "../platform-under-test.js";

const types = "type must be one of the following values: text, image, video";
const privacies = "privacy must be one of the following values: everyone, contacts, close_friends";
const photo = { url: "http://example.com/a.jpg", mimetype: "image/jpeg" };
const film = { url: "http://example.com/a.mp4", mimetype: "video/mp4", duration: 3 };
const song = { url: "http://example.com/a.ogg", mimetype: "audio/ogg", duration: 3 };
const recipients = "invalid phone, username, user, group or channel";
const option = "each value in options must be a different text of 1 to 100 characters";
const voice = "audio.url should not be empty\naudio.mimetype must be a string\naudio.duration must be a positive number";

/** The 400 rows of variant B, section "Errors", that the request alone decides. */
export const refusedRequests: readonly RefusedRequest[] = [
  ["POST /status", {}, types],
  ["POST /status", { type: "audio" }, types],
  ["POST /status", { type: "poll" }, types],
  ["POST /status", { type: ["text"] }, types],
  ["POST /status", { type: "text", text: "x", privacy: "friends" }, privacies],
  ["POST /status", { type: "text", text: "x", privacy: "nobody" }, privacies],
  ["POST /status", { type: "image", image: photo, privacy: 1 }, privacies],
  ["POST /status", { type: "text" }, "text should not be empty"],
  ["POST /status", { type: "text", text: "" }, "text should not be empty"],
  ["POST /status", { type: "text", text: " \n" }, "text should not be empty"],
  ["POST /status", { type: "text", text: 5 }, "text must be a string"],
  ["POST /status", { type: "image" }, "image should not be empty"],
  ["POST /status", { type: "video" }, "video should not be empty"],
  ["POST /status", { type: "image", image: { ...photo, url: "" } }, "image.url should not be empty"],
  ["POST /status", { type: "image", image: { ...photo, mimetype: "" } }, "image.mimetype should not be empty"],
  ["POST /status", { type: "video", video: { ...film, url: "" } }, "video.url should not be empty"],
  ["POST /status", { type: "video", video: { ...film, duration: 0 } }, "video.duration must be a positive number"],
  ["POST /status", { type: "video", video: { ...film, duration: "3" } }, "video.duration must be a positive number"],
  [
    "POST /status",
    { type: "video", video: {} },
    "video.url should not be empty\nvideo.mimetype should not be empty\nvideo.duration must be a positive number",
  ],
  ["POST /session/password", {}, "password should not be empty"],
  ["POST /session/password", { password: "" }, "password should not be empty"],
  ["POST /session/password", { password: 1 }, "password must be a string"],
  ["POST /session/password", { password: "x" }, "password is not required"],
  ["GET /group/member", undefined, "groupId must be a string\ngroupId should not be empty"],
  ["GET /group/member?groupId=", undefined, "groupId should not be empty"],
  ["GET /channel/message", undefined, "channelId must be a string\nchannelId should not be empty"],
  ["GET /channel/message?channelId=", undefined, "channelId should not be empty"],
  ["GET /channel/message?channelId=x&limit=0", undefined, "limit must be an integer from 1 to 100"],
  ["GET /channel/message?channelId=x&limit=101", undefined, "limit must be an integer from 1 to 100"],
  ["POST /message", { type: "text", text: "x" }, "invalid phone, username, user, group or channel"],
  ["POST /message", { user: "1", type: "text", text: "x", replyTo: 5 }, "replyTo must be a string"],
  ["POST /message", { user: "1", type: "text", text: "x", mentions: "1" }, "mentions must be an array"],
  [
    "POST /message",
    { user: "1", type: "text", text: "x", parseMode: "x", replyTo: [], mentions: {} },
    "parseMode must be one of the following values: markdown, html\nreplyTo must be a string\nmentions must be an array",
  ],
  ["POST /message", { user: "1", type: "text", text: "x", mentions: ["1", "@bob_sandbox"] }, "each value in mentions must be a user"],
  ["POST /message/forward", { user: "1", ref: "x", text: "x", a: 1 }, "property text should not exist\nproperty a should not exist"],
  ["POST /message/forward", { ref: "x" }, "invalid phone, username, user, group or channel"],
  ["POST /message/forward", { user: "1" }, "ref should not be empty"],
  ["POST /message/forward", { user: "1", ref: 1 }, "ref must be a string"],
  ["POST /message/voice", { user: "1", audio: song, text: "x" }, "property text should not exist"],
  ["POST /message/voice", { audio: song }, recipients],
  ["POST /message/voice", { user: "1" }, "audio should not be empty"],
  ["POST /message/voice", { user: "1", audio: [] }, "audio must be an object"],
  ["POST /message/voice", { user: "1", audio: { url: "", mimetype: 1, duration: 0 } }, voice],
  ["POST /message/sticker", { user: "1", image: song, text: "x" }, "property text should not exist"],
  ["POST /message/sticker", { image: song }, recipients],
  ["POST /message/sticker", { user: "1" }, "image should not be empty"],
  ["POST /message/sticker", { user: "1", image: { url: 1 } }, "image.url must be a string\nimage.mimetype should not be empty"],
  ["POST /message/album", { user: "1", items: [], text: "x" }, "property text should not exist"],
  ["POST /message/album", { items: [] }, recipients],
  ...[undefined, {}, [{ image: song }], Array(11).fill({ image: song })].map(
    (items): RefusedRequest => ["POST /message/album", { user: "1", items }, "items must have 2 to 10 elements"],
  ),
  ...[null, [], "x", {}, { image: song, video: song }].map(
    (item): RefusedRequest => [
      "POST /message/album",
      { user: "1", items: [item, { image: song }] },
      "each value in items must have either image or video",
    ],
  ),
  ["POST /message/album", { user: "1", items: [{ audio: song }, {}] }, "property audio should not exist"],
  ["POST /message/album", { user: "1", items: [{ image: song }, { image: { ...song, url: "" } }] }, "image.url should not be empty"],
  ["POST /message/poll", { user: "1", question: "?", options: ["a", "b"], type: "poll" }, "property type should not exist"],
  ["POST /message/poll", { question: "?", options: ["a", "b"] }, recipients],
  ["POST /message/poll", { user: "1", options: ["a", "b"] }, "question should not be empty"],
  ["POST /message/poll", { user: "1", question: "?".repeat(256), options: ["a", "b"] }, "question must be at most 255 characters"],
  ...[undefined, "a", ["a"], Array.from({ length: 13 }, String)].map(
    (options): RefusedRequest => ["POST /message/poll", { user: "1", question: "?", options }, "options must have 2 to 12 elements"],
  ),
  ...[
    ["a", ""],
    ["a", "a"],
    ["a", 1],
    ["a", "b".repeat(101)],
  ].map((options): RefusedRequest => ["POST /message/poll", { user: "1", question: "?", options }, option]),
  ["POST /message/poll", { user: "1", question: "?", options: ["a", "b"], multiple: 1 }, "multiple must be true or false"],
  ["POST /typing", { type: "text" }, "invalid phone, username, user or group"],
  ["POST /typing", {}, "invalid phone, username, user or group"],
  ["POST /typing", { channel: "alice_news" }, "invalid phone, username, user or group"],
  ["POST /typing", { phone: "1234567" }, "invalid receiver"],
  ["POST /typing", { username: "1 name" }, "invalid chat"],
  ["POST /typing", { username: "bob_sandbox", type: "video" }, "type must be one of the following values: text, audio"],
];
