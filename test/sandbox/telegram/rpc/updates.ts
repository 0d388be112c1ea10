import { Api } from "telegram";
import { RpcFault } from "../rpc.js";
import { Cast } from "../tl/cast.js";
import { tlMessage } from "../tl/message.js";
import { tlUpdate } from "../tl/update.js";
import type { Account } from "../world/account.js";
import type { Channel } from "../world/chat.js";
import { long, markChannel, unixNow } from "../world/ids.js";
import type { LogEntry } from "../world/message-box.js";
import type { World } from "../world/world.js";
import { callerOf, type Methods, type Platform } from "./method.js";
import { resolveChannel } from "./peers.js";
import { dialogOf } from "./dialogs.js";
import { present } from "../tl/present.js";

/** Entries per response. More entries make it a slice. */
const sliceSize = 100;

export function updatesMethods({ world }: Platform): Methods {
  return {
    "updates.GetState": {
      handle: (_request: Api.updates.GetState, context) => {
        const account = callerOf(world, context);
        return stateAt(account, account.box.pts);
      },
    },
    "updates.GetDifference": {
      handle: (request: Api.updates.GetDifference, context) => difference(world, callerOf(world, context), context.key.id, request),
    },
    "updates.GetChannelDifference": {
      handle: (request: Api.updates.GetChannelDifference, context) => {
        const account = callerOf(world, context);
        return channelDifference(world, account, resolveChannel(world, account, request.channel), request);
      },
    },
  };
}

export function stateAt({ seq }: Account, pts: number): Api.updates.State {
  return new Api.updates.State({ pts, qts: 0, date: unixNow(), seq, unreadCount: 0 });
}

function difference(
  world: World,
  account: Account,
  device: string,
  { pts, ptsLimit, ptsTotalLimit }: Api.updates.GetDifference,
): Api.updates.TypeDifference {
  checkPts(pts);
  if (world.faults.take(["difference-too-long"], account.account, undefined) !== undefined)
    return new Api.updates.DifferenceTooLong({ pts: account.box.pts });
  const missed = account.box.since(pts);
  if (missed === undefined || (ptsTotalLimit && missed.length > ptsTotalLimit))
    return new Api.updates.DifferenceTooLong({ pts: account.box.pts });
  if (missed.length === 0) return new Api.updates.DifferenceEmpty({ date: unixNow(), seq: account.seq });
  const entries = missed.slice(0, Math.min(ptsLimit || sliceSize, sliceSize));
  const body = { ...describe(world, account, entries, { device }), newEncryptedMessages: [] };
  if (entries.length < missed.length)
    return new Api.updates.DifferenceSlice({ ...body, intermediateState: stateAt(account, entries.at(-1)?.pts ?? pts) });
  return new Api.updates.Difference({ ...body, state: stateAt(account, account.box.pts) });
}

function checkPts(pts: number): void {
  if (pts === 0) throw new RpcFault(400, "PERSISTENT_TIMESTAMP_EMPTY");
  if (pts < 0) throw new RpcFault(400, "PERSISTENT_TIMESTAMP_INVALID");
}

function channelDifference(
  world: World,
  account: Account,
  channel: Channel,
  { pts, limit }: Api.updates.GetChannelDifference,
): Api.updates.TypeChannelDifference {
  checkPts(pts);
  const box = channel.history();
  const missed = box.since(pts);
  const timeout = 30;
  if (missed === undefined) {
    const top = box.topOf(markChannel(channel.id));
    const cast = new Cast(world, account).peer(markChannel(channel.id));
    if (top !== undefined) cast.message(top);
    return new Api.updates.ChannelDifferenceTooLong({
      final: true,
      timeout,
      dialog: dialogOf(world, account, markChannel(channel.id)),
      messages: top === undefined ? [] : [tlMessage(world, account, top, channel)],
      chats: cast.chats,
      users: cast.users,
    });
  }
  if (missed.length === 0) return new Api.updates.ChannelDifferenceEmpty({ final: true, pts: box.pts, timeout });
  const entries = missed.slice(0, Math.min(Math.max(limit, 1), sliceSize));
  return new Api.updates.ChannelDifference(
    present({
      ...describe(world, account, entries, { channel }),
      final: entries.length === missed.length || undefined,
      pts: entries.at(-1)?.pts ?? pts,
      timeout,
    }),
  );
}

function describe(
  world: World,
  account: Account,
  entries: readonly LogEntry[],
  { channel, device }: { channel?: Channel; device?: string },
): Pick<Api.updates.Difference, "newMessages" | "otherUpdates" | "chats" | "users"> {
  const box = channel?.box ?? account.box;
  const cast = new Cast(world, account);
  const newMessages: Api.TypeMessage[] = [];
  const otherUpdates: Api.TypeUpdate[] = [];
  for (const entry of entries) {
    const stored = entry.kind === "new" || entry.kind === "edit" ? box.messages.get(entry.id) : undefined;
    if (stored !== undefined) cast.message(stored);
    if (entry.kind === "read-inbox" || entry.kind === "read-outbox") cast.peer(entry.peer);
    if (entry.kind === "new") {
      if (stored === undefined) continue;
      newMessages.push(tlMessage(world, account, stored, channel));
      // A device that lost the response to its send learns the message id here.
      if (device !== undefined && stored.sentBy?.device === device)
        otherUpdates.push(new Api.UpdateMessageID({ id: stored.id, randomId: long(stored.sentBy.randomId) }));
      continue;
    }
    const update = tlUpdate(world, account, entry, channel);
    if (update !== undefined) otherUpdates.push(update);
  }
  return { newMessages, otherUpdates, chats: cast.chats, users: cast.users };
}
