import { Api } from "telegram";
import type { Ending } from "../../../shared/flow/ending.js";
import type { Client } from "../client.js";
import type { UpdateLog } from "../../session/session-context.js";
import { type Change, editedMessage, newMessage, toChanges } from "./change.js";
import { channelUpdateOf } from "./unpack.js";
import { readLostEdits } from "./read-lost-edits.js";
import { readLostMessages } from "./read-lost-messages.js";
import type { UpdatePosition } from "./update-position.js";

/** The changes since a position, as the platform reports them. */
export interface Difference {
  /** `part`: more pages follow. `too-long`: the platform no longer has the changes, so only messages that still exist are reported. */
  readonly kind: "empty" | "part" | "whole" | "too-long";
  readonly position: UpdatePosition;
  readonly changes: readonly Change[];
  readonly users: readonly Api.TypeUser[];
  readonly chats: readonly Api.TypeChat[];
  /** Channels and supergroups, by marked id, that have more updates than the difference shows. */
  readonly behind: readonly string[];
  /** Ids of messages that this device sent, in any chat. */
  readonly ownMessages: readonly number[];
  /** False when messages before `position` could not be read. */
  readonly complete: boolean;
}

type SeenMessages = Pick<UpdateLog, "chatsOf">;

/** Makes one `updates.getDifference` call. Throws a flood wait as an error, however short. `groups`: messages of groups are wanted. */
export async function readDifference(
  client: Client,
  from: UpdatePosition,
  { seen, groups }: { readonly seen: SeenMessages; readonly groups: boolean },
  signal: Ending,
): Promise<Difference> {
  const { pts, date, qts } = from;
  const response = await client.invoke(new Api.updates.GetDifference({ pts, date, qts }), { signal, waitOutFloods: false });
  const nothing = { changes: [], users: [], chats: [], behind: [], ownMessages: [], complete: true };
  if (response instanceof Api.updates.DifferenceEmpty)
    return { ...nothing, kind: "empty", position: { ...from, date: response.date, seq: response.seq } };
  if (response instanceof Api.updates.DifferenceTooLong)
    return lostDifference(client, { ...from, pts: response.pts }, { seen, groups }, signal);
  const state = response instanceof Api.updates.Difference ? response.state : response.intermediateState;
  const origin = { date: state.date, since: date, own: false, missed: true };
  return {
    kind: response instanceof Api.updates.Difference ? "whole" : "part",
    position: positionAt(state, from.user, newestOf(response.newMessages, from.newest)),
    // The platform does not order its two lists. New messages come first, so that no message is edited before it exists.
    changes: [
      ...response.newMessages.flatMap((message) => newMessage(message, origin)),
      ...response.otherUpdates.flatMap((update) => (channelUpdateOf(update) === undefined ? toChanges(update, origin) : [])),
    ],
    users: response.users,
    chats: response.chats,
    behind: response.otherUpdates.flatMap((update) => channelUpdateOf(update)?.channel ?? []),
    ownMessages: response.otherUpdates.flatMap((update) => (update instanceof Api.UpdateMessageID ? [update.id] : [])),
    complete: true,
  };
}

/**
 * Reads the chats instead: new messages, and the current state of edited ones seen before. Deletions and read marks cannot be recovered.
 */
async function lostDifference(
  client: Client,
  at: UpdatePosition,
  { seen, groups }: { readonly seen: SeenMessages; readonly groups: boolean },
  signal: Ending,
): Promise<Difference> {
  const lost = await readLostMessages(client, at, groups, signal);
  const edited = await readLostEdits(client, at, seen, signal);
  return {
    kind: "too-long",
    position: { ...at, newest: newestOf(lost.messages, at.newest) },
    changes: [
      ...lost.messages.flatMap((message) => newMessage(message, { own: false, missed: true })),
      ...edited.messages.flatMap((message) => editedMessage(message, { own: false, date: at.date, since: at.date })),
    ],
    users: [...lost.users, ...edited.users],
    chats: lost.chats,
    behind: [],
    ownMessages: [],
    complete: lost.complete,
  };
}

export function positionAt({ pts, qts, date, seq }: Api.updates.TypeState, user: string, newest: number): UpdatePosition {
  return { user, pts, qts, date, seq, newest };
}

function newestOf(messages: readonly Api.TypeMessage[], newest: number): number {
  return messages.reduce((highest, { id }) => Math.max(highest, id), newest);
}
