import { Api } from "telegram";
import { storeEntities } from "../tl/entities.js";
import { tlDraft } from "../tl/draft.js";
import { Cast } from "../tl/cast.js";
import { tlPeer } from "../tl/message.js";
import type { Account } from "../world/account.js";
import { unixNow, type MarkedId } from "../world/ids.js";
import { checkText } from "./check-text.js";
import { callerOf, type Methods, type Platform } from "./method.js";
import { resolvePeer } from "./peers.js";

/** Drafts per account; the oldest is evicted. */
const maxDrafts = 500;

/** Unsent drafts of an account, shown on all its devices. */
export function draftMethods({ world, delivery }: Platform): Methods {
  const packet = (account: Account, peers: readonly MarkedId[]): Api.Updates => {
    const cast = peers.reduce((all, peer) => all.peer(peer), new Cast(world, account));
    const updates = peers.map((peer) => new Api.UpdateDraftMessage({ peer: tlPeer(peer), draft: tlDraft(account.drafts.get(peer)) }));
    return new Api.Updates({ updates, users: cast.users, chats: cast.chats, date: unixNow(), seq: 0 });
  };
  return {
    "messages.SaveDraft": {
      handle: (request: Api.messages.SaveDraft, context) => {
        const account = callerOf(world, context);
        const peer = resolvePeer(world, account, request.peer);
        const { message: text, replyTo } = request;
        if (text !== "") checkText(text, request.entities, "text");
        account.drafts.delete(peer);
        const answered = replyTo instanceof Api.InputReplyToMessage ? replyTo.replyToMsgId : undefined;
        const entities = storeEntities(request.entities);
        if (text !== "" || answered !== undefined)
          account.drafts.set(peer, { text, date: unixNow(), ...(entities && { entities }), ...(answered && { replyTo: answered }) });
        if (account.drafts.size > maxDrafts) account.drafts.delete(account.drafts.keys().next().value ?? peer);
        account.peopleChanged = true;
        world.changed("world");
        delivery.pushes.pushFleeting(account, () => packet(account, [peer]), context.key);
        return true;
      },
    },
    "messages.GetAllDrafts": {
      handle: (_request: Api.messages.GetAllDrafts, context) => {
        const account = callerOf(world, context);
        return packet(account, [...account.drafts.keys()]);
      },
    },
    "messages.ClearAllDrafts": {
      handle: (_request: Api.messages.ClearAllDrafts, context) => {
        const account = callerOf(world, context);
        const peers = [...account.drafts.keys()];
        account.drafts.clear();
        world.changed("world");
        if (peers.length > 0) delivery.pushes.pushFleeting(account, () => packet(account, peers), context.key);
        return true;
      },
    },
  };
}
