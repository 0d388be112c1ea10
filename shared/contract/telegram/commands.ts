import { row, type CommandFacts, type NewSession } from "../command-row.js";
import { listing } from "../listing.js";
import type { MessageOutput } from "../message-content.js";
import type { Empty, SessionReference } from "../session.js";
import { sessionEndpoints, sessionInternals } from "../session-commands.js";
import { webhookEndpoints, webhookInternals } from "../webhook-commands.js";
import { mediaWaitMs, passwordTimeoutMs, sendTimeoutMs } from "../../limits.js";
import type { Channel, ChannelMessage, ChannelMessageQuery, ChannelQuery } from "./channel.js";
import { mediaTimeout, outcomeUnknown, sendTimeout, serverBusy, sessionNotConnected } from "./errors.js";
import type { Group, GroupMember, GroupMemberQuery, GroupQuery } from "./group.js";
import type { MediaAddress, MediaDescription, ReadChunkInput, ReadChunkOutput } from "../media.js";
import type { MessageInput } from "./message.js";
import type { PasswordInput } from "./session.js";
import type { StatusInput, StatusOutput } from "./status.js";
import type { TypingInput } from "./typing.js";

/** Endpoints of variant B that the owning shard answers on a session that exists. */
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
  /** The random id derives from the command id: a repeat is the same message. */
  "send-message": row<MessageInput, MessageOutput>({
    class: "send",
    lane: "ordered",
    deadlineMs: sendTimeoutMs,
    late: sendTimeout,
    needsConnection: true,
    changesRecord: false,
    isMessage: true,
    isAudited: false,
    session: "finds",
  }),
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
  /** The platform does not notice a story that is posted twice. */
  "post-status": row<StatusInput, StatusOutput>({
    class: "once",
    lane: "ordered",
    deadlineMs: sendTimeoutMs,
    late: sendTimeout,
    needsConnection: true,
    changesRecord: false,
    isMessage: false,
    isAudited: false,
    session: "finds",
  }),
  "list-groups": row<Empty, { docs: Group[] }>(listing),
  "get-group": row<GroupQuery, Group>(listing),
  "list-group-members": row<GroupMemberQuery, { docs: GroupMember[] }>(listing),
  "list-channels": row<Empty, { docs: Channel[] }>(listing),
  "get-channel": row<ChannelQuery, Channel>(listing),
  "list-channel-messages": row<ChannelMessageQuery, { docs: ChannelMessage[] }>(listing),
};

/** A question of a router for a caller of a media link: asked again as often as need be, until that caller's wait is over. */
const mediaQuestion: CommandFacts & { readonly session: "finds" } = {
  class: "read",
  lane: "media",
  deadlineMs: mediaWaitMs,
  late: mediaTimeout,
  needsConnection: true,
  changesRecord: false,
  isMessage: false,
  isAudited: false,
  session: "finds",
};

/** Commands without an endpoint of their own. */
export const telegramInternals = {
  ...sessionInternals,
  ...webhookInternals,
  /** Repeatable by construction: the router made the id, and a record that is there already is the outcome. */
  "create-session": row<NewSession, SessionReference>({
    class: "read",
    lane: "read",
    deadlineMs: 15_000,
    late: serverBusy,
    needsConnection: false,
    changesRecord: false,
    isMessage: false,
    isAudited: true,
    session: "creates",
  }),
  "describe-media": row<MediaAddress, MediaDescription>(mediaQuestion),
  "read-chunk": row<ReadChunkInput, ReadChunkOutput>(mediaQuestion),
};
