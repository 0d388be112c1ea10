import { Api } from "telegram";
import type { EventType } from "../../../shared/contract/webhook-events.js";
import { splitMarkedId } from "../chats/chat-reference.js";
import type { Change } from "./change.js";

/** Which changes besides those of private chats the receiver gets, so that other ones cost nothing. */
export interface Wanted {
  /** Any events at all. */
  readonly events: boolean;
  readonly reactions: boolean;
  readonly votes: boolean;
  /** Messages of groups. */
  readonly groups: boolean;
  readonly groupChanges: boolean;
  /** Posts of channels. */
  readonly posts: boolean;
}

export const nothingWanted: Wanted = { events: false, reactions: false, votes: false, groups: false, groupChanges: false, posts: false };

export function wantedOf(types: ReadonlySet<EventType>): Wanted {
  return {
    events: types.size > 0,
    reactions: types.has("message.reaction"),
    votes: types.has("poll.vote"),
    groups: groupTypes.some((type) => types.has(type)),
    groupChanges: types.has("group.changed"),
    posts: types.has("channel.message.new"),
  };
}

const groupTypes = ["group.message.new", "group.message.edited", "group.message.deleted"] as const;

/** Returns whether supergroups are followed. Reactions in them come with the same count. */
export function followsSupergroups({ groups, groupChanges, reactions, votes }: Wanted): boolean {
  return groups || groupChanges || reactions || votes;
}

/** Returns false for changes that give the receiver no event. Deletions pass: only the reader knows their chat. */
export function isWanted(change: Change, wanted: Wanted): boolean {
  switch (change.kind) {
    case "new":
    case "edited": {
      if (splitMarkedId(change.chat).kind === "user") return true;
      if (change.message.post === true) return wanted.posts && change.kind === "new";
      // Votes name the poll's options by their ids, so the poll itself is noted.
      return wanted.groups || (wanted.votes && change.message.media instanceof Api.MessageMediaPoll);
    }
    case "deleted":
      return change.chat === undefined || wanted.groups;
    case "reacted":
      return wanted.reactions;
    case "poll":
      return wanted.votes;
    case "service":
    case "role":
      return wanted.groupChanges;
    case "read":
    case "sent":
      return true;
    default:
      return change satisfies never;
  }
}
