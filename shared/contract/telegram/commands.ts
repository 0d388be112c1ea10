import { row, type NewSession } from "../command-row.js";
import { listing } from "../listing.js";
import type { ChangedMessage } from "../message-change.js";
import type { AlbumOutput, MessageOutput } from "../message-content.js";
import type { Empty, SessionReference } from "../session.js";
import { sending } from "../sending.js";
import type { PageQuery } from "../page.js";
import { phoneLookUp, type FoundPhone, type PhoneQuery } from "../phone-look-up.js";
import { creation, sessionEndpoints, sessionInternals } from "../session-commands.js";
import { webhookEndpoints, webhookInternals } from "../webhook-commands.js";
import { passwordTimeoutMs } from "../../limits.js";
import type { Channel, ChannelMessage, ChannelMessageQuery, ChannelQuery } from "./channel.js";
import type { ChatMessagePage, ChatMessageQuery, ChatPage, ContactPage } from "./chat.js";
import { mediaTimeout, outcomeUnknown, sessionNotConnected } from "./errors.js";
import type { Group, GroupMember, GroupMemberQuery, GroupQuery } from "./group.js";
import type { MediaAddress, MediaDescription, ReadChunkInput, ReadChunkOutput } from "../media.js";
import { mediaQuestion } from "../media-question.js";
import type { AlbumInput, ForwardInput, MessageInput, PollInput, StickerInput, VoiceInput } from "./message.js";
import type { EditInput, MessageReference, ReactionInput } from "./message-change.js";
import type { PasswordInput } from "./session.js";
import type { StatusInput, StatusOutput } from "./status.js";
import type { TypingInput } from "./typing.js";

/** Endpoints of variant B that the owning shard serves for an existing session. */
export const telegramEndpoints = {
  ...sessionEndpoints,
  ...webhookEndpoints,
  "submit-password": row<PasswordInput, SessionReference>({
    class: "once",
    lane: "ordered",
    deadlineMs: passwordTimeoutMs,
    late: outcomeUnknown,
    needsConnection: false,
    changesRecord: true,
    isMessage: false,
    isAudited: true,
    session: "finds",
  }),
  "send-message": row<MessageInput, MessageOutput>(sending),
  "forward-message": row<ForwardInput, MessageOutput>(sending),
  "send-voice": row<VoiceInput, MessageOutput>(sending),
  "send-sticker": row<StickerInput, MessageOutput>(sending),
  "send-poll": row<PollInput, MessageOutput>(sending),
  "send-album": row<AlbumInput, AlbumOutput>(sending),
  /** A repeated change leaves the message as it is. The platform limits changes apart from messages. */
  "send-reaction": row<ReactionInput, ChangedMessage>({ ...sending, isMessage: false }),
  "edit-message": row<EditInput, ChangedMessage>({ ...sending, isMessage: false }),
  "read-message": row<MessageReference, SessionReference>({ ...sending, isMessage: false }),
  "delete-message": row<MessageReference, ChangedMessage>({ ...sending, isMessage: false }),
  "send-typing": row<TypingInput, SessionReference>({
    class: "read",
    lane: "read",
    deadlineMs: 30_000,
    late: sessionNotConnected,
    needsConnection: true,
    changesRecord: false,
    isMessage: false,
    isAudited: false,
    session: "finds",
  }),
  /** The platform does not detect a story that is posted twice. */
  "post-status": row<StatusInput, StatusOutput>({ ...sending, class: "once", isMessage: false }),
  "list-groups": row<Empty, { docs: Group[] }>(listing),
  "get-group": row<GroupQuery, Group>(listing),
  "list-group-members": row<GroupMemberQuery, { docs: GroupMember[] }>(listing),
  "list-channels": row<Empty, { docs: Channel[] }>(listing),
  "get-channel": row<ChannelQuery, Channel>(listing),
  "list-chats": row<PageQuery, ChatPage>(listing),
  "list-chat-messages": row<ChatMessageQuery, ChatMessagePage>(listing),
  "list-contacts": row<PageQuery, ContactPage>(listing),
  "look-up-phones": row<PhoneQuery, { docs: FoundPhone[] }>(phoneLookUp),
  "list-channel-messages": row<ChannelMessageQuery, { docs: ChannelMessage[] }>(listing),
};

/** Commands without an endpoint of their own. */
export const telegramInternals = {
  ...sessionInternals,
  ...webhookInternals,
  "create-session": row<NewSession, SessionReference>(creation),
  "describe-media": row<MediaAddress, MediaDescription>(mediaQuestion(mediaTimeout)),
  "read-chunk": row<ReadChunkInput, ReadChunkOutput>(mediaQuestion(mediaTimeout)),
};
