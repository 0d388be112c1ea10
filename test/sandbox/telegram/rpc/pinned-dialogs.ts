import { Api } from "telegram";
import { RpcFault } from "../rpc.js";
import { dialogsOf } from "./dialogs.js";
import { callerOf, type Methods, type Platform } from "./method.js";
import { resolvePeer } from "./peers.js";
import { stateAt } from "./updates.js";

/** The platform's limit for accounts without premium. */
const maxPinned = 5;

/** Chats at the top of the list, and of the archive. */
export function pinnedDialogMethods({ world }: Platform): Methods {
  return {
    "messages.GetPinnedDialogs": {
      handle: ({ folderId }: Api.messages.GetPinnedDialogs, context) => {
        const account = callerOf(world, context);
        const peers = [...account.pinned].filter((peer) => account.archived.has(peer) === (folderId === 1));
        return new Api.messages.PeerDialogs({ ...dialogsOf(world, account, peers), state: stateAt(account, account.box.pts) });
      },
    },
    "messages.ToggleDialogPin": {
      handle: ({ peer: input, pinned }: Api.messages.ToggleDialogPin, context) => {
        const account = callerOf(world, context);
        if (!(input instanceof Api.InputDialogPeer)) throw new RpcFault(400, "PEER_ID_INVALID");
        const peer = resolvePeer(world, account, input.peer);
        if (pinned === true && !account.pinned.has(peer) && account.pinned.size >= maxPinned)
          throw new RpcFault(400, "PINNED_DIALOGS_TOO_MUCH");
        if (pinned === true) account.pinned.add(peer);
        else account.pinned.delete(peer);
        account.peopleChanged = true;
        world.changed("world");
        return true;
      },
    },
  };
}
