import { Api } from "telegram";
import type { Ending } from "../../../shared/flow/ending.js";
import type { Client } from "../client.js";
import { type Peer, toInputChannel, toInputPeer } from "../peers.js";
import { type Change, newMessage, toChanges } from "./change.js";
import type { ChannelPosition } from "./channel-positions.js";
import { readHistory } from "./read-lost-messages.js";

/** The changes of a channel or supergroup since a position. */
export interface ChannelDifference {
  /** `part`: more pages follow. `too-long`: the platform no longer lists the changes, so only messages that still exist are reported. */
  readonly kind: "empty" | "part" | "whole" | "too-long";
  readonly position: ChannelPosition;
  readonly changes: readonly Change[];
  readonly users: readonly Api.TypeUser[];
  readonly chats: readonly Api.TypeChat[];
  /** False when messages before `position` could not be read. */
  readonly complete: boolean;
}

/** Makes one `updates.getChannelDifference` call, and reads the history if the difference is too long. Throws a flood wait as an error. */
export async function readChannelDifference(
  client: Client,
  channel: Peer,
  { from, date }: { readonly from: ChannelPosition; readonly date: number },
  signal: Ending,
): Promise<ChannelDifference> {
  const request = new Api.updates.GetChannelDifference({
    channel: toInputChannel(channel),
    filter: new Api.ChannelMessagesFilterEmpty(),
    pts: from.pts,
    limit: pageSize,
  });
  const response = await client.invoke(request, { signal, deadlineMs, waitOutFloods: false });
  if (response instanceof Api.updates.ChannelDifferenceEmpty)
    return { kind: "empty", position: { ...from, pts: response.pts }, changes: [], users: [], chats: [], complete: true };
  const { users, chats } = response;
  if (response instanceof Api.updates.ChannelDifferenceTooLong) {
    const pts = response.dialog instanceof Api.Dialog ? (response.dialog.pts ?? from.pts) : from.pts;
    // Without a message seen before, the newest ones that came with the reply are the only ones known to be missed.
    const lost =
      from.newest === 0
        ? { messages: response.messages.filter((message) => message instanceof Api.Message), users: [] }
        : await readHistory(client, toInputPeer(channel), { newest: from.newest, date }, messagesMax, signal);
    const messages = lost.messages.toSorted((a, b) => a.id - b.id);
    return {
      kind: "too-long",
      position: { pts, newest: newestOf(messages, from.newest) },
      changes: messages.flatMap((message) => newMessage(message, { own: false, missed: true })),
      users: [...users, ...lost.users],
      chats,
      complete: messages.length < messagesMax,
    };
  }
  const origin = { date, since: date, own: false, missed: true };
  return {
    kind: response.final === true ? "whole" : "part",
    position: { pts: response.pts, newest: newestOf(response.newMessages, from.newest) },
    changes: [
      ...response.newMessages.flatMap((message) => newMessage(message, origin)),
      ...response.otherUpdates.flatMap((update) => toChanges(update, origin)),
    ],
    users,
    chats,
    complete: true,
  };
}

function newestOf(messages: readonly Api.TypeMessage[], newest: number): number {
  return messages.reduce((highest, { id }) => Math.max(highest, id), newest);
}

/** The most that the platform gives accounts. */
const pageSize = 100;
const messagesMax = 1_000;
const deadlineMs = 15_000;
