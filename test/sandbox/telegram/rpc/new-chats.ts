import { Api } from "telegram";
import { RpcFault } from "../rpc.js";
import type { Account } from "../world/account.js";
import { isInTooMany, makeChannel, makeGroup } from "../world/made-chats.js";
import { channelChanged, groupChanged } from "./chat-change.js";
import { checkTitle } from "./chat-titles.js";
import { maxGroupMembers } from "./group-members.js";
import { invitedPeople, sortInvited } from "./invitations.js";
import { callerOf, type Methods, type Platform } from "./method.js";

/** Characters of a channel's description. */
const maxAbout = 255;

/** Methods that create groups and channels. */
export function newChatMethods(platform: Platform): Methods {
  const { world } = platform;
  return {
    "messages.CreateChat": {
      handle: (request: Api.messages.CreateChat, context) => {
        const account = callerOf(world, context);
        checkMayMake(account, request.ttlPeriod);
        const title = checkTitle(request.title);
        const people = invitedPeople(world, account, request.users);
        if (people.length === 0) throw new RpcFault(400, "USERS_TOO_FEW");
        if (people.length >= maxGroupMembers) throw new RpcFault(400, "USERS_TOO_MUCH");
        const { userIds, missing } = sortInvited(world, account, people);
        const group = makeGroup(world, account, title, userIds) ?? tooMany();
        const action = { kind: "group-made", title, userIds: [...group.members.keys()] } as const;
        const updates = groupChanged(platform, { account, group, key: context.key }, action);
        return new Api.messages.InvitedUsers({ updates, missingInvitees: [...missing] });
      },
    },
    "channels.CreateChannel": {
      handle: (request: Api.channels.CreateChannel, context) => {
        const account = callerOf(world, context);
        checkMayMake(account, request.ttlPeriod);
        // Forums, location groups and imports are not simulated.
        if (request.forum || request.forImport || request.geoPoint) throw new RpcFault(400, "CHAT_INVALID");
        if (isInTooMany(account)) throw new RpcFault(400, "CHANNELS_TOO_MUCH");
        const title = checkTitle(request.title);
        if ([...request.about].length > maxAbout) throw new RpcFault(400, "CHAT_ABOUT_TOO_LONG");
        const type = request.megagroup ? "supergroup" : "broadcast";
        const channel = makeChannel(world, account, type, title, request.about) ?? tooMany();
        const change = { action: { kind: "channel-made", title }, userIds: [account.userId] } as const;
        return channelChanged(platform, { account, channel, key: context.key }, change);
      },
    },
  };
}

/** Self-destructing messages are not simulated. */
function checkMayMake({ limited }: Account, ttlPeriod: number | undefined): void {
  if (limited) throw new RpcFault(406, "USER_RESTRICTED");
  if (ttlPeriod) throw new RpcFault(400, "TTL_PERIOD_INVALID");
}

function tooMany(): never {
  throw new RpcFault(420, "FLOOD_WAIT_3600");
}
