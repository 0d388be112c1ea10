import { Api } from "telegram";
import { RpcFault, type AuthKey } from "../rpc.js";
import { Cast } from "../tl/cast.js";
import { tlPeer } from "../tl/message.js";
import { tlReactions } from "../tl/reactions.js";
import type { Account } from "../world/account.js";
import type { Channel } from "../world/chat.js";
import { long, unixNow } from "../world/ids.js";
import type { StoredMessage } from "../world/message-box.js";
import { callerOf, type Methods, type Platform } from "./method.js";
import { resolvePeer } from "./peers.js";
import { boxOf, channelOf, sentUpdates } from "./send-message.js";
import { present } from "../tl/present.js";

const maxListed = 100;

export function reactionMethods(platform: Platform): Methods {
  const { world, delivery } = platform;
  return {
    "messages.SendReaction": {
      handle: (request: Api.messages.SendReaction, context) => {
        const account = callerOf(world, context);
        const peer = resolvePeer(world, account, request.peer);
        const channel = channelOf(world, peer);
        const id = Number(request.msgId);
        const old = boxOf(world, account, peer).messages.get(id);
        if (old === undefined || old.peer !== peer || old.action !== undefined) throw new RpcFault(400, "MESSAGE_ID_INVALID");
        const emoticon = emoticonOf(request.reaction ?? []);
        if (emoticon === old.reactors?.find(({ from }) => from === account.userId)?.emoticon)
          throw new RpcFault(400, "MESSAGE_NOT_MODIFIED");
        const message = delivery.reactAs(account, peer, id, emoticon, context.key);
        if (message === undefined) throw new RpcFault(400, "MESSAGE_ID_INVALID");
        tellReactions(platform, account, message, context.key);
        world.received.add({ type: "reaction", account: account.account, id: String(id), chat: String(peer), emoji: emoticon ?? "" });
        return sentUpdates(world, account, peer, [{ message }], [reactionsUpdate(account, message, channel)]);
      },
    },
    "messages.GetMessagesReactions": {
      handle: (request: Api.messages.GetMessagesReactions, context) => {
        const account = callerOf(world, context);
        const peer = resolvePeer(world, account, request.peer);
        const { messages } = boxOf(world, account, peer);
        const found = request.id
          .slice(0, maxListed)
          .flatMap((id) => messages.get(id) ?? [])
          .filter((message) => message.peer === peer);
        const cast = found.reduce((all, message) => all.message(message), new Cast(world, account));
        const updates = found.map((message) => reactionsUpdate(account, message, channelOf(world, peer)));
        return new Api.Updates({ updates, users: cast.users, chats: cast.chats, date: unixNow(), seq: 0 });
      },
    },
    "messages.GetMessageReactionsList": {
      handle: (request: Api.messages.GetMessageReactionsList, context) => {
        const account = callerOf(world, context);
        const peer = resolvePeer(world, account, request.peer);
        const message = boxOf(world, account, peer).messages.get(request.id);
        if (message === undefined || message.peer !== peer) throw new RpcFault(400, "MESSAGE_ID_INVALID");
        if (channelOf(world, peer)?.broadcast === true) throw new RpcFault(403, "BROADCAST_FORBIDDEN");
        const wanted = request.reaction instanceof Api.ReactionEmoji ? request.reaction.emoticon : undefined;
        const listed = (message.reactors ?? []).filter(({ emoticon }) => wanted === undefined || emoticon === wanted).toReversed();
        const reactions = listed.slice(0, Math.min(Math.max(request.limit, 0), maxListed)).map(({ from, emoticon, date }) => {
          const reaction = new Api.ReactionEmoji({ emoticon });
          return new Api.MessagePeerReaction(
            present({
              peerId: new Api.PeerUser({ userId: long(from) }),
              date,
              reaction,
              my: from === account.userId || undefined,
            }),
          );
        });
        const cast = new Cast(world, account).message(message);
        return new Api.messages.MessageReactionsList({ count: listed.length, reactions, chats: cast.chats, users: cast.users });
      },
    },
  };
}

/** Returns one emoji, or undefined to remove the reaction. Several or custom reactions need a subscription. */
function emoticonOf(reactions: readonly Api.TypeReaction[]): string | undefined {
  if (reactions.length > 1) throw new RpcFault(400, "REACTIONS_TOO_MANY");
  const [reaction] = reactions;
  if (reaction === undefined || reaction instanceof Api.ReactionEmpty) return undefined;
  if (!(reaction instanceof Api.ReactionEmoji) || !/^\p{Emoji}[\p{Emoji}\u200d\ufe0f]*$/u.test(reaction.emoticon))
    throw new RpcFault(400, "REACTION_INVALID");
  return reaction.emoticon;
}

function reactionsUpdate(viewer: Account, message: StoredMessage, channel: Channel | undefined): Api.UpdateMessageReactions {
  return new Api.UpdateMessageReactions({
    peer: tlPeer(message.peer),
    msgId: message.id,
    reactions: tlReactions(viewer, message, channel?.broadcast === true),
  });
}

/** Pushes the reactions themselves. The logged edit was pushed before, but some clients only read this update. */
export function tellReactions(
  { world, delivery }: Pick<Platform, "world" | "delivery">,
  account: Account,
  message: StoredMessage,
  key?: AuthKey,
): void {
  const channel = channelOf(world, message.peer);
  const tell = (viewer: Account | undefined, seen: StoredMessage | undefined): void => {
    if (viewer === undefined || seen === undefined) return;
    const cast = new Cast(world, viewer).message(seen);
    delivery.pushes.pushFleeting(
      viewer,
      () =>
        new Api.Updates({
          updates: [reactionsUpdate(viewer, seen, channel)],
          users: cast.users,
          chats: cast.chats,
          date: unixNow(),
          seq: 0,
        }),
      key,
    );
  };
  if (channel !== undefined) {
    for (const userId of channel.joined.keys()) tell(world.accounts.ofUser(userId), message);
    return;
  }
  tell(account, message);
  for (const twin of message.twins ?? []) {
    const other = world.accounts.get(twin.account);
    tell(other, other?.box.messages.get(twin.id));
  }
}
