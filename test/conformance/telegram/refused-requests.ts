import type { RefusedRequest } from "../platform-under-test.js";

const types = "type must be one of the following values: text, image, video";
const privacies = "privacy must be one of the following values: everyone, contacts, close_friends";
const photo = { url: "http://example.com/a.jpg", mimetype: "image/jpeg" };
const film = { url: "http://example.com/a.mp4", mimetype: "video/mp4", duration: 3 };

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
  ["POST /message/reaction", {}, "invalid phone, username, user, group or channel"],
  ["POST /message/reaction", { username: "bob_sandbox" }, "messageId should not be empty\nemoji must be a string"],
  [
    "POST /message/reaction",
    { username: "bob_sandbox", messageId: " ", emoji: 1 },
    "messageId should not be empty\nemoji must be a string",
  ],
  ["POST /message/reaction", { username: "bob_sandbox", messageId: "1", emoji: "👍", author: 1 }, "author must be a string"],
  ["POST /message/reaction", { username: "bob_sandbox", messageId: "3EB0", emoji: "👍" }, "message not found"],
  ["POST /message/reaction", { username: "bob_sandbox", messageId: "2147483648", emoji: "👍" }, "message not found"],
  ["POST /message/reaction", { username: "bob_sandbox", emojy: "👍" }, "property emojy should not exist"],
  ["POST /typing", { type: "text" }, "invalid phone, username, user or group"],
  ["POST /typing", {}, "invalid phone, username, user or group"],
  ["POST /typing", { channel: "alice_news" }, "invalid phone, username, user or group"],
  ["POST /typing", { phone: "1234567" }, "invalid receiver"],
  ["POST /typing", { username: "1 name" }, "invalid chat"],
  ["POST /typing", { username: "bob_sandbox", type: "video" }, "type must be one of the following values: text, audio"],
];
