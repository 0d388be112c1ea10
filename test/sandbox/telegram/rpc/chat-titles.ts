import type { Api } from "telegram";
import { RpcFault } from "../rpc.js";
import { channelChanged, groupChanged } from "./chat-change.js";
import { mayChangeInfo } from "./chat-details.js";
import { callerOf, type Methods, type Platform } from "./method.js";
import { resolveChannel, resolveOwnGroup } from "./peers.js";

/** Characters. TDLib's DialogManager cuts longer titles before the request. */
const maxTitle = 128;

export function chatTitleMethods(platform: Platform): Methods {
  const { world } = platform;
  return {
    "messages.EditChatTitle": {
      handle: (request: Api.messages.EditChatTitle, context) => {
        const account = callerOf(world, context);
        const group = resolveOwnGroup(world, account, request.chatId);
        if (!mayChangeInfo(group, account)) throw new RpcFault(400, "CHAT_ADMIN_REQUIRED");
        const title = checkTitle(request.title);
        if (title === group.title) throw new RpcFault(400, "CHAT_NOT_MODIFIED");
        group.title = title;
        return groupChanged(platform, { account, group, key: context.key }, { kind: "renamed", title });
      },
    },
    "channels.EditTitle": {
      handle: (request: Api.channels.EditTitle, context) => {
        const account = callerOf(world, context);
        const channel = resolveChannel(world, account, request.channel);
        if (!mayChangeInfo(channel, account)) throw new RpcFault(400, "CHAT_ADMIN_REQUIRED");
        const title = checkTitle(request.title);
        if (title === channel.title) throw new RpcFault(400, "CHAT_NOT_MODIFIED");
        channel.title = title;
        channel.changed = true;
        const userIds = [...channel.joined.keys()];
        return channelChanged(platform, { account, channel, key: context.key }, { action: { kind: "renamed", title }, userIds });
      },
    },
  };
}

export function checkTitle(given: string): string {
  const title = [...given.trim()].slice(0, maxTitle).join("");
  if (title === "") throw new RpcFault(400, "CHAT_TITLE_EMPTY");
  return title;
}
