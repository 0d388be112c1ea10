import { Api } from "telegram";
import { RpcFault } from "../rpc.js";
import { callerOf, type Methods, type Platform } from "./method.js";
import { resolvePeer } from "./peers.js";
import { dialogsOf } from "./dialogs.js";
import { stateAt } from "./updates.js";

const maxPeers = 100;

/** Single dialogs, which a client requests for an unknown chat. */
export function peerDialogMethods({ world }: Platform): Methods {
  return {
    "messages.GetPeerDialogs": {
      handle: (request: Api.messages.GetPeerDialogs, context) => {
        const account = callerOf(world, context);
        if (request.peers.length > maxPeers) throw new RpcFault(400, "LIMIT_INVALID");
        const peers = request.peers.map((input) => {
          // Folders other than the archive are not simulated.
          if (!(input instanceof Api.InputDialogPeer)) throw new RpcFault(400, "PEER_ID_INVALID");
          return resolvePeer(world, account, input.peer);
        });
        return new Api.messages.PeerDialogs({
          ...dialogsOf(world, account, [...new Set(peers)]),
          state: stateAt(account, account.box.pts),
        });
      },
    },
  };
}
