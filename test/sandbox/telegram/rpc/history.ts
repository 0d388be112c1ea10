import { Api } from "telegram";
import { RpcFault } from "../rpc.js";
import { Cast } from "../tl/cast.js";
import { tlMessage } from "../tl/message.js";
import type { Account } from "../world/account.js";
import type { Channel } from "../world/chat.js";
import { markChannel, unmark } from "../world/ids.js";
import type { MessageBox, StoredMessage } from "../world/message-box.js";
import type { World } from "../world/world.js";
import { callerOf, type Methods, type Platform } from "./method.js";
import { resolveChannel, resolvePeer } from "./peers.js";

const maxPage = 100;

/** Methods that read messages: a chat's history, and single messages by id. */
export function historyMethods({ world }: Platform): Methods {
  return {
    "messages.GetHistory": {
      handle: (request: Api.messages.GetHistory, context) => {
        const account = callerOf(world, context);
        const peer = resolvePeer(world, account, request.peer);
        const { kind, id } = unmark(peer);
        const channel = kind === "channel" ? world.chats.channel(id) : undefined;
        const box = channel?.history() ?? account.box;
        const ids = box.idsOf(peer);
        const page = pageOf(box, ids, request);
        return foundMessages(world, account, page, { channel, total: ids.length });
      },
    },
    "messages.GetMessages": {
      handle: (request: Api.messages.GetMessages, context) => {
        const account = callerOf(world, context);
        return byIds(world, account, account.box, request.id, undefined);
      },
    },
    "channels.GetMessages": {
      handle: (request: Api.channels.GetMessages, context) => {
        const account = callerOf(world, context);
        const channel = resolveChannel(world, account, request.channel);
        return byIds(world, account, channel.history(), request.id, channel);
      },
    },
  };
}

type Page = Pick<Api.messages.GetHistory, "offsetId" | "offsetDate" | "addOffset" | "minId" | "maxId" | "limit">;

/** Returns messages newest first, below `offsetId` or `offsetDate`, shifted by `addOffset`, within (`minId`, `maxId`). */
export function pageOf(box: MessageBox, ids: readonly number[], request: Page): StoredMessage[] {
  const { offsetId, offsetDate, addOffset, minId, maxId } = request;
  const newestFirst = ids.toReversed();
  let start = 0;
  if (offsetId > 0) start = newestFirst.findIndex((id) => id < offsetId);
  else if (offsetDate > 0) start = newestFirst.findIndex((id) => (box.messages.get(id)?.date ?? 0) < offsetDate);
  if (start < 0) start = newestFirst.length;
  const limit = Math.min(Math.max(request.limit, 0), maxPage);
  const from = Math.max(0, start + addOffset);
  return newestFirst
    .slice(from, Math.max(from, start + addOffset + limit))
    .filter((id) => (minId === 0 || id > minId) && (maxId === 0 || id < maxId))
    .flatMap((id) => box.messages.get(id) ?? []);
}

function byIds(
  world: World,
  account: Account,
  box: MessageBox,
  inputs: readonly Api.TypeInputMessage[],
  channel: Channel | undefined,
): Api.messages.TypeMessages {
  if (inputs.length > maxPage) throw new RpcFault(400, "LIMIT_INVALID");
  const found = inputs.map((input) => {
    const id = idOf(box, input);
    return box.messages.get(id) ?? id;
  });
  return foundMessages(world, account, found, { channel, total: found.length });
}

/** Telethon requests a replied-to message by the reply's id. Pinned messages do not exist here. */
function idOf(box: MessageBox, input: Api.TypeInputMessage): number {
  if (input instanceof Api.InputMessageID) return input.id;
  return input instanceof Api.InputMessageReplyTo ? (box.messages.get(input.id)?.replyTo ?? 0) : 0;
}

/** A number is the id of a message that does not exist (any more). */
export function foundMessages(
  world: World,
  account: Account,
  found: readonly (StoredMessage | number)[],
  { channel, total }: { channel: Channel | undefined; total: number },
): Api.messages.TypeMessages {
  const cast = new Cast(world, account);
  if (channel !== undefined) cast.peer(markChannel(channel.id));
  const messages = found.map((each) => {
    if (typeof each === "number") return new Api.MessageEmpty({ id: each });
    cast.message(each);
    return tlMessage(world, account, each, channel);
  });
  const body = { messages, chats: cast.chats, users: cast.users };
  if (channel !== undefined) return new Api.messages.ChannelMessages({ ...body, pts: channel.box.pts, count: total, topics: [] });
  return total > found.length ? new Api.messages.MessagesSlice({ ...body, count: total }) : new Api.messages.Messages(body);
}
