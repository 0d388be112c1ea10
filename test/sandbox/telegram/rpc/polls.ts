import { Api } from "telegram";
import { RpcFault, type AuthKey } from "../rpc.js";
import { Cast } from "../tl/cast.js";
import { tlPoll, tlPollResults } from "../tl/poll.js";
import type { Account } from "../world/account.js";
import { present } from "../tl/present.js";
import { long, unixNow, type MarkedId } from "../world/ids.js";
import type { StoredMessage } from "../world/message-box.js";
import { vote, type StoredPoll } from "../world/poll.js";
import { callerOf, type Methods, type Platform } from "./method.js";
import { resolvePeer } from "./peers.js";
import { boxOf, channelOf } from "./send-message.js";

export function pollMethods(platform: Platform): Methods {
  const { world } = platform;
  const found = (account: Account, peer: MarkedId, id: number): { message: StoredMessage; poll: StoredPoll } => {
    const message = boxOf(world, account, peer).messages.get(id);
    const poll = message?.attachment?.kind === "poll" ? world.polls.get(message.attachment.pollId) : undefined;
    if (message === undefined || poll === undefined || message.peer !== peer) throw new RpcFault(400, "MESSAGE_ID_INVALID");
    return { message, poll };
  };
  return {
    "messages.SendVote": {
      handle: (request: Api.messages.SendVote, context) => {
        const account = callerOf(world, context);
        const peer = resolvePeer(world, account, request.peer);
        const { message, poll } = found(account, peer, Number(request.msgId));
        if (poll.closed) throw new RpcFault(400, "MESSAGE_POLL_CLOSED");
        const answers = [...new Set(request.options.map((option) => option.toString("base64")))].map((option) =>
          poll.answers.findIndex((answer) => answer.option === option),
        );
        if (answers.includes(-1)) throw new RpcFault(400, "OPTION_INVALID");
        if (answers.length > 1 && !poll.multiple) throw new RpcFault(400, "OPTIONS_TOO_MUCH");
        if (poll.correct !== undefined && poll.votes.some(([userId]) => userId === account.userId))
          throw new RpcFault(400, "REVOTE_NOT_ALLOWED");
        vote(poll, account.userId, answers);
        return pollChanged(platform, account, { peer, message, poll }, context.key);
      },
    },
    "messages.GetPollVotes": {
      handle: (request: Api.messages.GetPollVotes, context) => {
        const account = callerOf(world, context);
        const peer = resolvePeer(world, account, request.peer);
        const { message, poll } = found(account, peer, request.id);
        if (channelOf(world, peer)?.broadcast === true) throw new RpcFault(403, "BROADCAST_FORBIDDEN");
        if (!poll.publicVoters) throw new RpcFault(400, "POLL_ANONYMOUS");
        if (!poll.closed && !poll.votes.some(([userId]) => userId === account.userId)) throw new RpcFault(403, "POLL_VOTE_REQUIRED");
        const option = request.option?.toString("base64");
        const at = option === undefined ? undefined : poll.answers.findIndex((answer) => answer.option === option);
        const all = poll.votes.filter(([, chosen]) => at === undefined || chosen.includes(at)).toReversed();
        const start = Number(request.offset ?? 0);
        const page = all.slice(start, start + Math.min(Math.max(request.limit, 1), maxVotesListed));
        const cast = page.reduce((whole, [userId]) => whole.user(userId), new Cast(world, account).peer(peer));
        const next = start + page.length;
        return new Api.messages.VotesList(
          present({
            count: all.length,
            votes: page.map(([userId, chosen]) => tlVote(poll, userId, chosen, message.date)),
            chats: cast.chats,
            users: cast.users,
            nextOffset: next < all.length ? String(next) : undefined,
          }),
        );
      },
    },
    "messages.GetPollResults": {
      handle: (request: Api.messages.GetPollResults, context) => {
        const account = callerOf(world, context);
        const peer = resolvePeer(world, account, request.peer);
        return pollPacket(platform, account, peer, found(account, peer, Number(request.msgId)).poll);
      },
    },
  };
}

const maxVotesListed = 100;

function tlVote({ answers, multiple }: StoredPoll, userId: number, chosen: readonly number[], date: number): Api.TypeMessagePeerVote {
  const options = chosen.map((at) => Buffer.from(answers[at]?.option ?? "", "base64"));
  const peer = new Api.PeerUser({ userId: long(userId) });
  const [option = Buffer.alloc(0)] = options;
  return multiple ? new Api.MessagePeerVoteMultiple({ peer, options, date }) : new Api.MessagePeerVote({ peer, option, date });
}

/** Pushes a poll's new results to everybody who sees it, and returns the response for the device that changed it. */
export function pollChanged(
  platform: Pick<Platform, "world" | "delivery">,
  account: Account,
  { peer, message, poll }: { readonly peer: MarkedId; readonly message: StoredMessage; readonly poll: StoredPoll },
  key?: AuthKey,
): Api.Updates {
  const { world, delivery } = platform;
  world.changed("world");
  const channel = channelOf(world, peer);
  const others =
    channel === undefined
      ? (message.twins ?? []).flatMap((twin) => world.accounts.get(twin.account) ?? [])
      : [...channel.joined.keys()].flatMap((userId) => world.accounts.ofUser(userId) ?? []);
  for (const other of new Set([account, ...others]))
    delivery.pushes.pushFleeting(other, () => pollPacket(platform, other, undefined, poll), other === account ? key : undefined);
  return pollPacket(platform, account, peer, poll);
}

function pollPacket({ world }: Pick<Platform, "world">, viewer: Account, peer: MarkedId | undefined, poll: StoredPoll): Api.Updates {
  const results = tlPollResults(poll, viewer);
  const update = new Api.UpdateMessagePoll({ pollId: long(poll.id), poll: tlPoll(poll), results });
  const cast = new Cast(world, viewer);
  if (peer !== undefined) cast.peer(peer);
  for (const [userId] of poll.publicVoters ? poll.votes.slice(-3) : []) cast.user(userId);
  return new Api.Updates({ updates: [update], users: cast.users, chats: cast.chats, date: unixNow(), seq: 0 });
}
