import { Api } from "telegram";
import { RpcFault } from "../rpc.js";
import { tlPeer } from "../tl/message.js";
import { tlUser } from "../tl/user.js";
import { unixNow } from "../world/ids.js";
import { reactToStory, visibleStories } from "../world/story.js";
import { callerOf, type Methods, type Platform } from "./method.js";
import { resolvePeer } from "./peers.js";

/** Reactions to stories, which notify the author (core.telegram.org/api/stories, "Reactions"). */
export function storyReactionMethods({ world, delivery }: Platform): Methods {
  return {
    "stories.SendReaction": {
      handle: (request: Api.stories.SendReaction, context) => {
        const account = callerOf(world, context);
        const owner = world.accounts.ofUser(resolvePeer(world, account, request.peer));
        const { reaction, storyId } = request;
        const story = owner && visibleStories(account, owner).find(({ id }) => id === storyId);
        if (owner === undefined || story === undefined || owner === account) throw new RpcFault(400, "STORY_ID_INVALID");
        if (!(reaction instanceof Api.ReactionEmoji || reaction instanceof Api.ReactionEmpty)) throw new RpcFault(400, "REACTION_INVALID");
        reactToStory(story, account.userId, reaction instanceof Api.ReactionEmoji ? reaction.emoticon : undefined);
        world.changed("world");
        const told = new Api.UpdateNewStoryReaction({ storyId, peer: tlPeer(account.userId), reaction });
        const packet = (): Api.Updates =>
          new Api.Updates({ updates: [told], users: [tlUser(world, owner, account.person)], chats: [], date: unixNow(), seq: 0 });
        if (reaction instanceof Api.ReactionEmoji) delivery.pushes.pushFleeting(owner, packet);
        const updates = [new Api.UpdateSentStoryReaction({ peer: tlPeer(owner.userId), storyId, reaction })];
        return new Api.Updates({ updates, users: [tlUser(world, account, owner.person)], chats: [], date: unixNow(), seq: 0 });
      },
    },
  };
}
