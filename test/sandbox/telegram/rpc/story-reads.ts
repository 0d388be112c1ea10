import { Api } from "telegram";
import { RpcFault } from "../rpc.js";
import { tlInt } from "../tl/int.js";
import { tlPeer } from "../tl/message.js";
import { storyPacket, tlStory } from "../tl/story.js";
import { tlUser } from "../tl/user.js";
import type { Account } from "../world/account.js";
import { unixNow } from "../world/ids.js";
import { activeStories, seeStories, visibleStories, watchers } from "../world/story.js";
import type { World } from "../world/world.js";
import { callerOf, type Methods, type Platform } from "./method.js";
import { resolvePeer } from "./peers.js";
import { present } from "../tl/present.js";

const maxIds = 100;

/** Methods that read stories, and those with which their author changes them. */
export function storyReadMethods({ world, delivery }: Platform): Methods {
  return {
    "stories.GetPeerStories": {
      handle: (request: Api.stories.GetPeerStories, context) => {
        const account = callerOf(world, context);
        const peer = resolvePeer(world, account, request.peer);
        const owner = world.accounts.ofUser(peer);
        const stories = owner === undefined ? new Api.PeerStories({ peer: tlPeer(peer), stories: [] }) : peerStories(world, account, owner);
        return new Api.stories.PeerStories({
          stories,
          chats: [],
          users: owner === undefined ? [] : [tlUser(world, account, owner.person)],
        });
      },
    },
    "stories.GetStoriesByID": {
      handle: (request: Api.stories.GetStoriesByID, context) => {
        const account = callerOf(world, context);
        if (request.id.length > maxIds) throw new RpcFault(400, "LIMIT_INVALID");
        const owner = world.accounts.ofUser(resolvePeer(world, account, request.peer));
        const found = owner === undefined ? [] : visibleStories(account, owner).filter(({ id }) => request.id.includes(id));
        const stories = owner === undefined ? [] : found.map((story) => tlStory(world, account, owner, story));
        return new Api.stories.Stories({
          count: stories.length,
          stories,
          chats: [],
          users: owner === undefined ? [] : [tlUser(world, account, owner.person)],
        });
      },
    },
    "stories.GetAllStories": {
      handle: (_request: Api.stories.GetAllStories, context) => {
        const account = callerOf(world, context);
        const known = [account.userId, ...account.contacts].flatMap((id) => world.accounts.ofUser(id) ?? []);
        const owners = known.filter((owner) => visibleStories(account, owner).length > 0);
        return new Api.stories.AllStories({
          count: owners.length,
          state: String(unixNow()),
          peerStories: owners.map((owner) => peerStories(world, account, owner)),
          chats: [],
          users: owners.map(({ person }) => tlUser(world, account, person)),
          stealthMode: new Api.StoriesStealthMode({}),
        });
      },
    },
    "stories.ReadStories": {
      handle: (request: Api.stories.ReadStories, context) => {
        const account = callerOf(world, context);
        const owner = world.accounts.ofUser(resolvePeer(world, account, request.peer));
        if (owner === undefined) return [];
        const read = account.storiesRead.get(owner.userId) ?? 0;
        const unread = visibleStories(account, owner).filter(({ id }) => id > read && id <= request.maxId);
        const maxId = unread.at(-1)?.id;
        if (maxId === undefined) return [];
        account.storiesRead.set(owner.userId, maxId);
        seeStories(owner, account.userId, unread);
        world.changed("world");
        const update = new Api.UpdateReadStories({ peer: tlPeer(owner.userId), maxId });
        delivery.pushes.pushFleeting(account, () => new Api.UpdateShort({ update, date: unixNow() }), context.key);
        return unread.map(({ id }) => tlInt(id));
      },
    },
    "stories.DeleteStories": {
      handle: (request: Api.stories.DeleteStories, context) => {
        const account = callerOf(world, context);
        if (resolvePeer(world, account, request.peer) !== account.userId) throw new RpcFault(400, "PEER_ID_INVALID");
        const gone = activeStories(account).filter(({ id }) => request.id.includes(id));
        account.stories = account.stories.filter((story) => !gone.includes(story));
        world.changed("world");
        for (const story of gone) {
          const item = new Api.StoryItemDeleted({ id: story.id });
          for (const other of watchers(world, account, story))
            delivery.pushes.pushFleeting(other, () => storyPacket(world, other, account, item), context.key);
        }
        return gone.map(({ id }) => tlInt(id));
      },
    },
  };
}

function peerStories(world: World, viewer: Account, owner: Account): Api.PeerStories {
  const stories = visibleStories(viewer, owner).map((story) => tlStory(world, viewer, owner, story));
  return new Api.PeerStories(present({ peer: tlPeer(owner.userId), maxReadId: viewer.storiesRead.get(owner.userId), stories }));
}
