import { Api } from "telegram";
import { RpcFault } from "../rpc.js";
import type { BasicGroup, Channel } from "../world/chat.js";
import { unmark } from "../world/ids.js";
import { channelChanged } from "./chat-change.js";
import { callerOf, type Methods, type Platform } from "./method.js";
import { resolveChannel, resolvePeer } from "./peers.js";
import { takePicture } from "./uploaded-picture.js";

/** Characters of a description. */
const maxAbout = 255;

/** Methods that change the description of a chat, and the photo of a channel. */
export function chatDetailMethods(platform: Platform): Methods {
  const { world } = platform;
  return {
    "messages.EditChatAbout": {
      handle: (request: Api.messages.EditChatAbout, context) => {
        const account = callerOf(world, context);
        const { kind, id } = unmark(resolvePeer(world, account, request.peer));
        const chat: BasicGroup | Channel | undefined = kind === "channel" ? world.chats.channel(id) : world.chats.group(id);
        if (kind === "user" || chat === undefined) throw new RpcFault(400, "PEER_ID_INVALID");
        const mayChange =
          chat.kind === "channel" ? chat.mayChange(account.userId) : chat.creatorId === account.userId || chat.admins.has(account.userId);
        if (!mayChange) throw new RpcFault(400, "CHAT_ADMIN_REQUIRED");
        if ([...request.about].length > maxAbout) throw new RpcFault(400, "CHAT_ABOUT_TOO_LONG");
        if (request.about === chat.about) throw new RpcFault(400, "CHAT_ABOUT_NOT_MODIFIED");
        chat.about = request.about;
        chat.changed = true;
        world.changed("world");
        return true;
      },
    },
    "channels.EditPhoto": {
      handle: async (request: Api.channels.EditPhoto, context) => {
        const account = callerOf(world, context);
        const channel = resolveChannel(world, account, request.channel);
        if (!channel.mayChange(account.userId)) throw new RpcFault(400, "CHAT_ADMIN_REQUIRED");
        const { photo } = request;
        if (photo instanceof Api.InputChatPhotoEmpty) {
          if (world.profilePhotos.idOf(channel) === undefined) throw new RpcFault(400, "CHAT_NOT_MODIFIED");
          world.profilePhotos.remove(channel.id);
        } else {
          if (!(photo instanceof Api.InputChatUploadedPhoto)) throw new RpcFault(400, "PHOTO_INVALID");
          await takePicture(world, account, photo.file);
          world.profilePhotos.replace(channel.id);
        }
        return channelChanged(platform, { account, channel, key: context.key }, { userIds: [...channel.joined.keys()] });
      },
    },
  };
}
