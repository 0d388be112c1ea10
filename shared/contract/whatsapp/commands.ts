import type { Empty, SessionReference } from "../session.js";
import type { Channel, ChannelMessage, ChannelMessageQuery, ChannelQuery } from "./channel.js";
import type { Group, GroupMember, GroupQuery } from "./group.js";
import type { MessageOutput } from "../message-content.js";
import type { MessageInput } from "./message.js";
import type { StatusInput, StatusOutput } from "./status.js";
import type { TypingInput } from "./typing.js";

/** Endpoints of variant A that the owning shard answers on a session that exists. */
export interface WhatsAppEndpoints {
  "reset-session": { input: Empty; output: SessionReference };
  "delete-session": { input: Empty; output: SessionReference };
  "send-message": { input: MessageInput; output: MessageOutput };
  "post-status": { input: StatusInput; output: StatusOutput };
  "send-typing": { input: TypingInput; output: SessionReference };
  "list-groups": { input: Empty; output: { docs: Group[] } };
  "get-group": { input: GroupQuery; output: Group };
  "list-group-members": { input: GroupQuery; output: { docs: GroupMember[] } };
  "list-channels": { input: Empty; output: { docs: Channel[] } };
  "get-channel": { input: ChannelQuery; output: Channel };
  "list-channel-messages": { input: ChannelMessageQuery; output: { docs: ChannelMessage[] } };
}

/** Commands without an endpoint of their own. */
export interface WhatsAppInternals {
  /** `phone` (digits) asks for a pairing code instead of a QR; empty without one. */
  "create-session": { input: { secretHash: string; phone: string }; output: SessionReference };
  /** Of a session that a timer deleted a day ago at most. */
  "undelete-session": { input: Empty; output: SessionReference };
}
