import { Api } from "telegram";
import { RpcFault } from "../rpc.js";
import { Cast } from "../tl/cast.js";
import { viewsOf } from "../tl/message.js";
import { callerOf, type Methods, type Platform } from "./method.js";
import { resolvePeer } from "./peers.js";
import { boxOf, channelOf } from "./send-message.js";

const maxIds = 100;
/** Viewers stored per post; further ones are not counted. */
const maxViewers = 1_000;

/** View counts of posts. Clients report the posts that they show (TDLib's MessagesManager, `view_messages`). */
export function messageViewMethods({ world }: Platform): Methods {
  return {
    "messages.GetMessagesViews": {
      handle: (request: Api.messages.GetMessagesViews, context) => {
        const account = callerOf(world, context);
        if (request.id.length > maxIds) throw new RpcFault(400, "LIMIT_INVALID");
        const peer = resolvePeer(world, account, request.peer);
        const isPosts = channelOf(world, peer)?.broadcast === true;
        const { messages } = boxOf(world, account, peer);
        const views = request.id.map((id) => {
          const message = messages.get(id);
          if (!isPosts || message === undefined || message.action !== undefined) return new Api.MessageViews({});
          const { viewers = [] } = message;
          if (request.increment && viewers.length < maxViewers && !viewers.includes(account.userId)) {
            message.viewers = [...viewers, account.userId];
            world.changed("world");
          }
          return new Api.MessageViews(viewsOf(message));
        });
        const cast = new Cast(world, account).peer(peer);
        return new Api.messages.MessageViews({ views, chats: cast.chats, users: cast.users });
      },
    },
  };
}
