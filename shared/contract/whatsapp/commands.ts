import { row, type CommandFacts, type NewSession } from "../command-row.js";
import { groupChange } from "../group-change-facts.js";
import type { EditGroupInput, InviteLink, JoinInput, LeftGroup } from "../group-change.js";
import { listing } from "../listing.js";
import type { ChannelChangeInput, LeftChannel, NewChannelInput } from "../channel-change.js";
import type { ChangedMessage } from "../message-change.js";
import type { AlbumOutput, MessageOutput } from "../message-content.js";
import type { ProfileInput } from "../profile.js";
import type { Empty, SessionReference } from "../session.js";
import { sending } from "../sending.js";
import type { ReadChunkInput, ReadChunkOutput } from "../media.js";
import { mediaQuestion } from "../media-question.js";
import type { PageQuery } from "../page.js";
import { phoneLookUp, type FoundPhone, type PhoneQuery } from "../phone-look-up.js";
import { creation, sessionEndpoints, sessionInternals } from "../session-commands.js";
import { webhookEndpoints, webhookInternals } from "../webhook-commands.js";
import { passkeyTimeoutMs } from "../../limits.js";
import type { Channel, ChannelMessage, ChannelMessageQuery, ChannelQuery, ChannelReferenceInput } from "./channel.js";
import type { ChatMessagePage, ChatMessageQuery, ChatPage, ContactPage } from "./chat.js";
import { mediaTimeout, outcomeUnknown, sessionNotConnected } from "./errors.js";
import type { Group, GroupMember, GroupQuery } from "./group.js";
import type { GroupReference, JoinedGroup, MemberResult, MembersInput, NewGroup, NewGroupInput } from "./group-change.js";
import type { AlbumInput, BlockInput, ForwardInput, MessageInput, PollInput, StickerInput, VoiceInput } from "./message.js";
import type { EditInput, MessageReference, ReactionInput } from "./message-change.js";
import type { PasskeyInput } from "../passkey.js";
import type { StatusInput, StatusOutput } from "./status.js";
import type { TypingInput } from "./typing.js";

/** A challenge is signed once, and a code confirmed once. After an unknown outcome, clients read the progress before they retry. */
const passkeyStep: CommandFacts & { readonly session: "finds" } = {
  class: "once",
  lane: "ordered",
  deadlineMs: passkeyTimeoutMs,
  late: outcomeUnknown,
  needsConnection: false,
  changesRecord: true,
  isMessage: false,
  isAudited: true,
  session: "finds",
};

/** Endpoints of variant A that the owning shard serves for an existing session. */
export const whatsappEndpoints = {
  ...sessionEndpoints,
  ...webhookEndpoints,
  "submit-passkey": row<PasskeyInput, SessionReference>(passkeyStep),
  "confirm-passkey": row<Empty, SessionReference>(passkeyStep),
  "send-message": row<MessageInput, MessageOutput>(sending),
  "forward-message": row<ForwardInput, MessageOutput>(sending),
  "send-voice": row<VoiceInput, MessageOutput>(sending),
  "send-sticker": row<StickerInput, MessageOutput>(sending),
  "send-poll": row<PollInput, MessageOutput>(sending),
  "send-album": row<AlbumInput, AlbumOutput>(sending),
  /** A change of a message is a message of its own on the wire, so it counts in the pace. */
  "send-reaction": row<ReactionInput, ChangedMessage>(sending),
  "edit-message": row<EditInput, ChangedMessage>(sending),
  /** A message that was read stays read. */
  "read-message": row<MessageReference, SessionReference>({ ...sending, isMessage: false }),
  "delete-message": row<MessageReference, ChangedMessage>(sending),
  /** The id derives from the command id, as for a message, but a status has no recipient. */
  "post-status": row<StatusInput, StatusOutput>({ ...sending, isMessage: false }),
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
  "list-groups": row<Empty, { docs: Group[] }>(listing),
  "get-group": row<GroupQuery, Group>(listing),
  "list-group-members": row<GroupQuery, { docs: GroupMember[] }>(listing),
  /** The platform does not recognise a group that is created twice. */
  "create-group": row<NewGroupInput, NewGroup>({ ...groupChange, class: "once" }),
  "edit-group": row<EditGroupInput, Group>(groupChange),
  "add-group-members": row<MembersInput, { docs: MemberResult[] }>(groupChange),
  "remove-group-members": row<MembersInput, { docs: MemberResult[] }>(groupChange),
  "add-group-admins": row<MembersInput, { docs: MemberResult[] }>(groupChange),
  "remove-group-admins": row<MembersInput, { docs: MemberResult[] }>(groupChange),
  "get-group-invite": row<GroupReference, InviteLink>(listing),
  "revoke-group-invite": row<GroupReference, InviteLink>(groupChange),
  "join-group": row<JoinInput, JoinedGroup>(groupChange),
  "leave-group": row<GroupReference, LeftGroup>(groupChange),
  "list-channels": row<Empty, { docs: Channel[] }>(listing),
  "get-channel": row<ChannelQuery, Channel>(listing),
  "list-chats": row<PageQuery, ChatPage>(listing),
  "list-chat-messages": row<ChatMessageQuery, ChatMessagePage>(listing),
  "list-contacts": row<PageQuery, ContactPage>(listing),
  "look-up-phones": row<PhoneQuery, { docs: FoundPhone[] }>(phoneLookUp),
  /** Neither platform detects a channel that is created twice. */
  "create-channel": row<NewChannelInput, Channel>({ ...sending, class: "once", isMessage: false }),
  /** A repeated change leaves the account and its channels as they are. */
  "update-channel": row<ChannelChangeInput, Channel>({ ...sending, isMessage: false }),
  "follow-channel": row<ChannelReferenceInput, Channel>({ ...sending, isMessage: false }),
  "leave-channel": row<ChannelReferenceInput, LeftChannel>({ ...sending, isMessage: false }),
  "update-profile": row<ProfileInput, SessionReference>({ ...sending, isMessage: false }),
  "block-person": row<BlockInput, SessionReference>({ ...sending, isMessage: false }),
  "unblock-person": row<BlockInput, SessionReference>({ ...sending, isMessage: false }),
  "list-channel-messages": row<ChannelMessageQuery, { docs: ChannelMessage[] }>(listing),
};

/** Commands without an endpoint of their own. */
export const whatsappInternals = {
  ...sessionInternals,
  ...webhookInternals,
  /** `phone` (digits) requests a pairing code; empty for a QR code. */
  "create-session": row<NewSession & { phone: string }, SessionReference>(creation),
  "read-chunk": row<ReadChunkInput, ReadChunkOutput>(mediaQuestion(() => mediaTimeout())),
};
