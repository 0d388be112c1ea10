import { Api } from "telegram";
import { RpcFault } from "../rpc.js";
import { Cast } from "../tl/cast.js";
import { tlUpdate } from "../tl/update.js";
import { unixNow } from "../world/ids.js";
import { callerOf, type Methods, type Platform } from "./method.js";
import { resolvePeer } from "./peers.js";

const maxMoved = 100;

/** The archive (folder 1) and the list of chats (folder 0). */
export function folderMethods({ world, delivery }: Platform): Methods {
  return {
    "folders.EditPeerFolders": {
      handle: (request: Api.folders.EditPeerFolders, context) => {
        const account = callerOf(world, context);
        if (request.folderPeers.length > maxMoved) throw new RpcFault(400, "LIMIT_INVALID");
        const folders = request.folderPeers.map(({ peer, folderId }) => {
          if (folderId !== 0 && folderId !== 1) throw new RpcFault(400, "FOLDER_ID_INVALID");
          return [resolvePeer(world, account, peer), folderId] as const;
        });
        if (folders.length === 0) throw new RpcFault(400, "FOLDER_ID_EMPTY");
        const entry = delivery.moveToFolders(account, folders, context.key);
        const cast = folders.reduce((all, [peer]) => all.peer(peer), new Cast(world, account));
        const update = entry && tlUpdate(world, account, entry);
        return new Api.Updates({
          updates: update === undefined ? [] : [update],
          users: cast.users,
          chats: cast.chats,
          date: unixNow(),
          seq: 0,
        });
      },
    },
  };
}
