import { Api } from "telegram";
import { RpcFault, type AuthKey } from "../rpc.js";
import { tlChat } from "../tl/chat.js";
import type { Account } from "../world/account.js";
import type { Channel } from "../world/chat.js";
import { long, markChannel, unixNow } from "../world/ids.js";
import { callerOf, type Methods, type Platform } from "./method.js";
import { resolveChannel } from "./peers.js";

/** An account comes into a public channel or supergroup, or leaves one. */
export function membershipMethods(platform: Platform): Methods {
  const { world } = platform;
  return {
    "channels.JoinChannel": {
      handle: (request: Api.channels.JoinChannel, context) => {
        const account = callerOf(world, context);
        const channel = resolveChannel(world, account, request.channel);
        // Whoever is in stays in, with the date of the first time.
        if (!channel.joined.has(account.userId)) {
          channel.join(account.userId, unixNow());
          account.chats.add(markChannel(channel.id));
          world.changed("world");
        }
        return told(platform, account, channel, context.key);
      },
    },
    "channels.LeaveChannel": {
      handle: (request: Api.channels.LeaveChannel, context) => {
        const account = callerOf(world, context);
        const channel = resolveChannel(world, account, request.channel);
        if (channel.creatorId === account.userId) throw new RpcFault(400, "USER_CREATOR");
        if (!channel.joined.has(account.userId)) throw new RpcFault(400, "USER_NOT_PARTICIPANT");
        channel.leave(account.userId);
        account.chats.delete(markChannel(channel.id));
        world.changed("world");
        return told(platform, account, channel, context.key);
      },
    },
  };
}

/** The account's other devices are told as the one that did it. */
function told({ world, delivery }: Platform, account: Account, channel: Channel, key: AuthKey): Api.Updates {
  const updates = [new Api.UpdateChannel({ channelId: long(channel.id) })];
  const packet = (): Api.Updates =>
    new Api.Updates({ updates, users: [], chats: [tlChat(world, account, channel)], date: unixNow(), seq: 0 });
  delivery.pushes.pushFleeting(account, packet, key);
  return packet();
}
