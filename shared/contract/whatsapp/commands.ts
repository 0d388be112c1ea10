import { row, type CommandFacts, type NewSession } from "../command-row.js";
import { listing } from "../listing.js";
import type { MessageOutput } from "../message-content.js";
import type { Empty, SessionReference } from "../session.js";
import { sending } from "../sending.js";
import { creation, sessionEndpoints, sessionInternals } from "../session-commands.js";
import { passkeyTimeoutMs } from "../../limits.js";
import type { Channel, ChannelMessage, ChannelMessageQuery, ChannelQuery } from "./channel.js";
import { outcomeUnknown, sessionNotConnected } from "./errors.js";
import type { Group, GroupMember, GroupQuery } from "./group.js";
import type { MessageInput } from "./message.js";
import type { PasskeyInput } from "../passkey.js";
import type { StatusInput, StatusOutput } from "./status.js";
import type { TypingInput } from "./typing.js";

/** A challenge is answered once, and a code confirmed once. Whoever asks again after an unknown outcome reads how far it has come. */
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

/** Endpoints of variant A that the owning shard answers on a session that exists. */
export const whatsappEndpoints = {
  ...sessionEndpoints,
  "submit-passkey": row<PasskeyInput, SessionReference>(passkeyStep),
  "confirm-passkey": row<Empty, SessionReference>(passkeyStep),
  "send-message": row<MessageInput, MessageOutput>(sending),
  /** Its id derives from the command's as a message's does, but it is written to nobody in particular. */
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
  "list-channels": row<Empty, { docs: Channel[] }>(listing),
  "get-channel": row<ChannelQuery, Channel>(listing),
  "list-channel-messages": row<ChannelMessageQuery, { docs: ChannelMessage[] }>(listing),
};

/** Commands without an endpoint of their own. */
export const whatsappInternals = {
  ...sessionInternals,
  /** `phone` (digits) asks for a pairing code instead of a QR; empty without one. */
  "create-session": row<NewSession & { phone: string }, SessionReference>(creation),
};
