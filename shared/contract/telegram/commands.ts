import type { MessageOutput } from "../message-content.js";
import type { DeadLetterPage, DeadLetterQuery, ReplayOutput } from "../dead-letters.js";
import type { Empty, SessionReference, WebhookSettings } from "../session.js";
import type { Channel, ChannelMessage, ChannelMessageQuery, ChannelQuery } from "./channel.js";
import type { Group, GroupMember, GroupMemberQuery, GroupQuery } from "./group.js";
import type { MediaAddress, MediaDescription, ReadChunkInput, ReadChunkOutput } from "./media.js";
import type { MessageInput } from "./message.js";
import type { PasswordInput } from "./session.js";
import type { StatusInput, StatusOutput } from "./status.js";
import type { TypingInput } from "./typing.js";

/** Endpoints of variant B that the owning shard answers on a session that exists. */
export interface TelegramEndpoints {
  "submit-password": { input: PasswordInput; output: SessionReference };
  "set-webhook": { input: WebhookSettings; output: SessionReference };
  "reset-session": { input: Empty; output: SessionReference };
  "delete-session": { input: Empty; output: SessionReference };
  "send-message": { input: MessageInput; output: MessageOutput };
  "send-typing": { input: TypingInput; output: SessionReference };
  "post-status": { input: StatusInput; output: StatusOutput };
  "list-groups": { input: Empty; output: { docs: Group[] } };
  "get-group": { input: GroupQuery; output: Group };
  "list-group-members": { input: GroupMemberQuery; output: { docs: GroupMember[] } };
  "list-channels": { input: Empty; output: { docs: Channel[] } };
  "get-channel": { input: ChannelQuery; output: Channel };
  "list-channel-messages": { input: ChannelMessageQuery; output: { docs: ChannelMessage[] } };
}

/** Commands without an endpoint of their own. */
export interface TelegramInternals {
  /** The router made the id; `secretHash` is SHA-256 (hex) of the `session-id` (checklist S2). */
  "create-session": { input: { secretHash: string }; output: SessionReference };
  /** Of a session that a timer deleted a day ago at most. */
  "undelete-session": { input: Empty; output: SessionReference };
  "describe-media": { input: MediaAddress; output: MediaDescription };
  "list-dead-letters": { input: DeadLetterQuery; output: DeadLetterPage };
  "replay-dead-letters": { input: Empty; output: ReplayOutput };
  "read-chunk": { input: ReadChunkInput; output: ReadChunkOutput };
}
