import { Api } from "telegram";
import { RpcFault } from "../rpc.js";
import { Cast } from "../tl/cast.js";
import { tlStoryView, tlStoryViews } from "../tl/story.js";
import type { Account } from "../world/account.js";
import type { StoryView } from "../world/stored-story.js";
import { activeStories, seeStories, visibleStories } from "../world/story.js";
import type { World } from "../world/world.js";
import { callerOf, type Methods, type Platform } from "./method.js";
import { resolvePeer } from "./peers.js";
import { present } from "../tl/present.js";

/** The server's limit according to TDLib (StoryManager::increment_story_views). */
const maxSeen = 200;
const maxCounted = 100;
const maxPage = 100;

/** Views of a story: viewers report them, and the author reads them. */
export function storyViewMethods({ world }: Platform): Methods {
  return {
    "stories.IncrementStoryViews": {
      handle: (request: Api.stories.IncrementStoryViews, context) => {
        const account = callerOf(world, context);
        checkIds(request.id, maxSeen);
        const owner = world.accounts.ofUser(resolvePeer(world, account, request.peer));
        if (owner === undefined) return true;
        seeStories(
          owner,
          account.userId,
          visibleStories(account, owner).filter(({ id }) => request.id.includes(id)),
        );
        world.changed("world");
        return true;
      },
    },
    "stories.GetStoriesViews": {
      handle: (request: Api.stories.GetStoriesViews, context) => {
        const account = callerOf(world, context);
        checkIds(request.id, maxCounted);
        checkOwn(world, account, request.peer);
        const found = request.id.flatMap((wanted) => activeStories(account).find(({ id }) => id === wanted) ?? []);
        const views = found.map(tlStoryViews);
        const cast = new Cast(world, account);
        for (const { recentViewers } of views) for (const id of recentViewers ?? []) cast.user(id.toJSNumber());
        return new Api.stories.StoryViews({ views, users: cast.users });
      },
    },
    "stories.GetStoryViewsList": {
      handle: (request: Api.stories.GetStoryViewsList, context) => {
        const account = callerOf(world, context);
        checkOwn(world, account, request.peer);
        const story = activeStories(account).find(({ id }) => id === request.id);
        if (story === undefined) throw new RpcFault(400, "STORY_ID_INVALID");
        const all = story.views ?? [];
        const wanted = all.filter((view) => isWanted(world, account, view, request)).toReversed();
        const start = offsetOf(request.offset);
        const page = wanted.slice(start, start + Math.min(Math.max(request.limit, 0), maxPage));
        const end = start + page.length;
        const cast = page.reduce((named, { from }) => named.user(from), new Cast(world, account));
        return new Api.stories.StoryViewsList(
          present({
            count: wanted.length,
            viewsCount: all.length,
            forwardsCount: 0,
            reactionsCount: all.filter(({ reaction }) => reaction !== undefined).length,
            views: page.map(tlStoryView),
            chats: cast.chats,
            users: cast.users,
            nextOffset: page.length > 0 && end < wanted.length ? String(end) : undefined,
          }),
        );
      },
    },
  };
}

function checkIds(ids: readonly number[], max: number): void {
  if (ids.length === 0) throw new RpcFault(400, "STORY_ID_EMPTY");
  if (ids.length > max) throw new RpcFault(400, "LIMIT_INVALID");
}

/** Only the author may see a story's viewers. */
function checkOwn(world: World, account: Account, peer: unknown): void {
  if (resolvePeer(world, account, peer) !== account.userId) throw new RpcFault(400, "PEER_ID_INVALID");
}

function isWanted(world: World, account: Account, { from }: StoryView, { justContacts, q }: Api.stories.GetStoryViewsList): boolean {
  if (justContacts === true && !account.contacts.has(from)) return false;
  const person = world.accounts.person(from);
  const names = `${person?.firstName ?? ""} ${person?.lastName ?? ""} ${person?.username ?? ""}`;
  return names.toLowerCase().includes((q ?? "").toLowerCase());
}

/** An empty offset is the start. Any other one came with the previous page. */
function offsetOf(offset: string): number {
  if (!/^\d{0,9}$/.test(offset)) throw new RpcFault(400, "OFFSET_INVALID");
  return Number(offset);
}
