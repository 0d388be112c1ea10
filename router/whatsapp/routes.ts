import typia from "typia";
import type { EndpointName, Output } from "../../shared/contract/commands.js";
import { parseChannelPage, parseChannelPath } from "../endpoint/channel-query.js";
import { nothing, type Endpoints } from "../endpoint/endpoint.js";
import { parsePage } from "../endpoint/page-query.js";
import { sessionRoutes } from "../api/session-routes.js";
import { parseBlock, parseUnblock } from "./block-person.js";
import { parseChannelChange, parseChannelReference, parseNewChannel } from "./change-channel.js";
import { parseDeletion } from "./delete-message.js";
import { parseEdit } from "./edit-message.js";
import { parseGroupEdit } from "./edit-group.js";
import { parseGroupPath, parseGroupQuery } from "./group-id.js";
import { parsers as groupParsers } from "./group-members.js";
import { parseJoin } from "./join-group.js";
import { parseNewGroup } from "./new-group.js";
import { passkeyCallers } from "./passkey-callers.js";
import { parseChatMessages } from "./list-chat-messages.js";
import { parsePhoneQuery } from "./look-up-phones.js";
import { parseStatus } from "./post-status.js";
import { parseWebhook } from "./set-webhook.js";
import { parseForward } from "./forward-message.js";
import { parseMessage } from "./send-message.js";
import { parseAlbum } from "./send-album.js";
import { parsePoll } from "./send-poll.js";
import { parseSticker } from "./send-sticker.js";
import { parseReadMark } from "./read-message.js";
import { parseReaction } from "./send-reaction.js";
import { parseTyping } from "./send-typing.js";
import { parseVoice } from "./send-voice.js";
import { parsePasskey } from "./submit-passkey.js";
import { parseProfile } from "./update-profile.js";
import { wording } from "./wording.js";

/** Variant A's endpoints that shards serve. `whatsapp-api.ts` has those of the router itself. */
export const routes = {
  "set-webhook": { route: "PUT /session/webhook", parse: parseWebhook, reply: typia.json.createStringify<Reply<"set-webhook">>() },
  ...sessionRoutes,
  "submit-passkey": {
    route: "POST /session/passkey",
    parse: parsePasskey,
    reply: typia.json.createStringify<Reply<"submit-passkey">>(),
    callers: passkeyCallers,
  },
  "confirm-passkey": {
    route: "POST /session/passkey/confirm",
    parse: nothing,
    reply: typia.json.createStringify<Reply<"confirm-passkey">>(),
    callers: passkeyCallers,
  },
  "send-message": { route: "POST /message", parse: parseMessage, reply: typia.json.createStringify<Reply<"send-message">>(), keyed: true },
  "forward-message": {
    route: "POST /message/forward",
    parse: parseForward,
    reply: typia.json.createStringify<Reply<"forward-message">>(),
    keyed: true,
  },
  "send-voice": { route: "POST /message/voice", parse: parseVoice, reply: typia.json.createStringify<Reply<"send-voice">>(), keyed: true },
  "send-sticker": {
    route: "POST /message/sticker",
    parse: parseSticker,
    reply: typia.json.createStringify<Reply<"send-sticker">>(),
    keyed: true,
  },
  "send-poll": { route: "POST /message/poll", parse: parsePoll, reply: typia.json.createStringify<Reply<"send-poll">>(), keyed: true },
  "send-album": {
    route: "POST /message/album",
    parse: parseAlbum,
    reply: typia.json.createStringify<Reply<"send-album">>(),
    keyed: true,
    messages: ({ items }) => items.length,
  },
  "send-reaction": {
    route: "POST /message/reaction",
    parse: parseReaction,
    reply: typia.json.createStringify<Reply<"send-reaction">>(),
    keyed: true,
  },
  "post-status": { route: "POST /status", parse: parseStatus, reply: typia.json.createStringify<Reply<"post-status">>(), keyed: true },
  "read-message": {
    route: "POST /message/read",
    parse: parseReadMark,
    reply: typia.json.createStringify<Reply<"read-message">>(),
    keyed: true,
  },
  "edit-message": {
    route: "PATCH /message/:messageId",
    parse: parseEdit,
    reply: typia.json.createStringify<Reply<"edit-message">>(),
    keyed: true,
  },
  "delete-message": {
    route: "DELETE /message/:messageId",
    parse: parseDeletion,
    reply: typia.json.createStringify<Reply<"delete-message">>(),
    keyed: true,
  },
  "send-typing": { route: "POST /typing", parse: parseTyping, reply: typia.json.createStringify<Reply<"send-typing">>() },
  "list-groups": { route: "GET /group", parse: nothing, reply: typia.json.createStringify<Reply<"list-groups">>(), compressible: true },
  "list-group-members": {
    route: "GET /group/member",
    parse: parseGroupQuery,
    reply: typia.json.createStringify<Reply<"list-group-members">>(),
    compressible: true,
  },
  "get-group": {
    route: "GET /group/:groupId",
    parse: parseGroupPath,
    reply: typia.json.createStringify<Reply<"get-group">>(),
    compressible: true,
  },
  "create-group": {
    route: "POST /group",
    parse: parseNewGroup,
    reply: typia.json.createStringify<Reply<"create-group">>(),
    keyed: true,
  },
  "edit-group": {
    route: "PATCH /group/:groupId",
    parse: parseGroupEdit,
    reply: typia.json.createStringify<Reply<"edit-group">>(),
    keyed: true,
  },
  "add-group-members": {
    route: "POST /group/member",
    parse: groupParsers.membersBody,
    reply: typia.json.createStringify<Reply<"add-group-members">>(),
    keyed: true,
  },
  "remove-group-members": {
    route: "DELETE /group/member",
    parse: groupParsers.membersQuery,
    reply: typia.json.createStringify<Reply<"remove-group-members">>(),
    keyed: true,
  },
  "add-group-admins": {
    route: "POST /group/admin",
    parse: groupParsers.membersBody,
    reply: typia.json.createStringify<Reply<"add-group-admins">>(),
    keyed: true,
  },
  "remove-group-admins": {
    route: "DELETE /group/admin",
    parse: groupParsers.membersQuery,
    reply: typia.json.createStringify<Reply<"remove-group-admins">>(),
    keyed: true,
  },
  "get-group-invite": {
    route: "GET /group/invite",
    parse: groupParsers.groupOfQuery,
    reply: typia.json.createStringify<Reply<"get-group-invite">>(),
  },
  "revoke-group-invite": {
    route: "DELETE /group/invite",
    parse: groupParsers.groupOfQuery,
    reply: typia.json.createStringify<Reply<"revoke-group-invite">>(),
    keyed: true,
  },
  "join-group": {
    route: "POST /group/join",
    parse: parseJoin,
    reply: typia.json.createStringify<Reply<"join-group">>(),
    keyed: true,
  },
  "leave-group": {
    route: "POST /group/leave",
    parse: groupParsers.groupOfBody,
    reply: typia.json.createStringify<Reply<"leave-group">>(),
    keyed: true,
  },
  "list-channels": {
    route: "GET /channel",
    parse: nothing,
    reply: typia.json.createStringify<Reply<"list-channels">>(),
    compressible: true,
  },
  "list-channel-messages": {
    route: "GET /channel/message",
    parse: (http) => parseChannelPage(http, wording),
    // A shard of an earlier version omits fields, which a compiled stringifier would write as broken JSON.
    reply: (output: Reply<"list-channel-messages">) => JSON.stringify(output),
    compressible: true,
  },
  "list-chats": {
    route: "GET /chat",
    parse: parsePage,
    reply: typia.json.createStringify<Reply<"list-chats">>(),
  },
  "list-chat-messages": {
    route: "GET /chat/message",
    parse: parseChatMessages,
    reply: typia.json.createStringify<Reply<"list-chat-messages">>(),
  },
  "list-contacts": {
    route: "GET /contact",
    parse: parsePage,
    reply: typia.json.createStringify<Reply<"list-contacts">>(),
  },
  "look-up-phones": {
    route: "GET /phone",
    parse: parsePhoneQuery,
    reply: typia.json.createStringify<Reply<"look-up-phones">>(),
  },
  "get-channel": {
    route: "GET /channel/:channelId",
    parse: (http) => parseChannelPath(http, wording),
    reply: typia.json.createStringify<Reply<"get-channel">>(),
    compressible: true,
  },
  "create-channel": {
    route: "POST /channel",
    parse: parseNewChannel,
    reply: typia.json.createStringify<Reply<"create-channel">>(),
    keyed: true,
  },
  "update-channel": {
    route: "PATCH /channel/:channelId",
    parse: parseChannelChange,
    reply: typia.json.createStringify<Reply<"update-channel">>(),
    keyed: true,
  },
  "follow-channel": {
    route: "POST /channel/follow",
    parse: parseChannelReference,
    reply: typia.json.createStringify<Reply<"follow-channel">>(),
    keyed: true,
  },
  "leave-channel": {
    route: "POST /channel/leave",
    parse: parseChannelReference,
    reply: typia.json.createStringify<Reply<"leave-channel">>(),
    keyed: true,
  },
  "update-profile": {
    route: "PATCH /profile",
    parse: parseProfile,
    reply: typia.json.createStringify<Reply<"update-profile">>(),
    keyed: true,
  },
  "block-person": {
    route: "POST /block",
    parse: parseBlock,
    reply: typia.json.createStringify<Reply<"block-person">>(),
    keyed: true,
  },
  "unblock-person": {
    route: "DELETE /block",
    parse: parseUnblock,
    reply: typia.json.createStringify<Reply<"unblock-person">>(),
    keyed: true,
  },
} as const satisfies Endpoints<"whatsapp">;

/** Endpoint of the router itself in variant A. */
export const passkeyRoutes = { "get-passkey": { route: "GET /session/passkey" } } as const;

type Reply<C extends EndpointName<"whatsapp">> = Output<"whatsapp", C>;
