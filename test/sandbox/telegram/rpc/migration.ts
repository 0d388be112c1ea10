import { Api } from "telegram";
import { RpcFault } from "../rpc.js";
import { markChannel, unixNow } from "../world/ids.js";
import { isInTooMany, makeChannel, sees } from "../world/made-chats.js";
import { channelChanged, groupChanged } from "./chat-change.js";
import { callerOf, type Methods, type Platform } from "./method.js";
import { resolveOwnGroup } from "./peers.js";

/**
 * Upgrades a basic group to a supergroup with the same members. Old messages stay in the group, which only links to the supergroup
 * (core.telegram.org/api/channel).
 */
export function migrationMethods(platform: Platform): Methods {
  const { world } = platform;
  return {
    "messages.MigrateChat": {
      handle: (request: Api.messages.MigrateChat, context) => {
        const account = callerOf(world, context);
        const { key } = context;
        const group = resolveOwnGroup(world, account, request.chatId);
        if (group.creatorId !== account.userId) throw new RpcFault(400, "CHAT_ADMIN_REQUIRED");
        if (isInTooMany(account)) throw new RpcFault(400, "CHANNELS_TOO_MUCH");
        const channel = makeChannel(world, account, "supergroup", group.title, group.about);
        if (channel === undefined) throw new RpcFault(420, "FLOOD_WAIT_3600");
        const { id: groupId, title } = group;
        for (const userId of group.members.keys()) {
          channel.join(userId, unixNow());
          sees(world, userId, markChannel(channel.id));
        }
        for (const userId of group.admins) channel.appoint(userId, { postMessages: false });
        channel.migratedFrom = groupId;
        group.migratedTo = channel.id;
        const old = groupChanged(platform, { account, group, key }, { kind: "migrated-to", channelId: channel.id });
        const userIds = [...group.members.keys()];
        const made = channelChanged(platform, { account, channel, key }, { action: { kind: "migrated-from", groupId, title }, userIds });
        return new Api.Updates({
          updates: [...old.updates, ...made.updates],
          users: unique([...old.users, ...made.users]),
          chats: unique([...old.chats, ...made.chats]),
          date: unixNow(),
          seq: 0,
        });
      },
    },
  };
}

function unique<T extends { readonly id: Api.long }>(all: readonly T[]): T[] {
  return [...new Map(all.map((one) => [one.id.toString(), one])).values()];
}
