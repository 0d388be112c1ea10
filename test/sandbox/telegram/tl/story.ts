import { Api } from "telegram";
import type { Account } from "../world/account.js";
import { long, unixNow } from "../world/ids.js";
import type { StoredStory, StoryView } from "../world/stored-story.js";
import type { World } from "../world/world.js";
import { tlEntities } from "./entities.js";
import { tlMessageMedia } from "./media.js";
import { tlPeer } from "./message.js";
import { tlUser } from "./user.js";
import { present } from "./present.js";

export function tlStory(world: World, viewer: Account, owner: Account, story: StoredStory): Api.StoryItem {
  const { id, date, expires, caption, entities, attachment, audience } = story;
  const own = story.views?.find(({ from }) => from === viewer.userId)?.reaction;
  return new Api.StoryItem(
    present({
      id,
      out: viewer === owner || undefined,
      public: audience.base === "everyone" || undefined,
      contacts: audience.base === "contacts" || undefined,
      closeFriends: audience.base === "close_friends" || undefined,
      date,
      expireDate: expires,
      caption: caption === "" ? undefined : caption,
      entities: tlEntities(entities),
      media: tlMessageMedia(world, viewer, attachment),
      views: viewer === owner ? tlStoryViews(story) : undefined,
      sentReaction: own === undefined ? undefined : new Api.ReactionEmoji({ emoticon: own }),
    }),
  );
}

/** Number of recent viewers that the counts name. */
const recentViewers = 3;

/** Returns a story's counts for its author. The list of viewers needs a separate request. */
export function tlStoryViews({ views = [] }: StoredStory): Api.StoryViews {
  const recent = views.slice(-recentViewers).map(({ from }) => long(from));
  const counts = reactionsOf(views);
  return new Api.StoryViews(
    present({
      hasViewers: views.length > 0 || undefined,
      viewsCount: views.length,
      recentViewers: recent.length > 0 ? recent : undefined,
      ...(counts.size > 0 && {
        reactions: [...counts].map(([emoticon, count]) => new Api.ReactionCount({ reaction: new Api.ReactionEmoji({ emoticon }), count })),
        reactionsCount: [...counts.values()].reduce((sum, count) => sum + count, 0),
      }),
    }),
  );
}

export function tlStoryView({ from, date, reaction }: StoryView): Api.StoryView {
  return new Api.StoryView(
    present({ userId: long(from), date, reaction: reaction === undefined ? undefined : new Api.ReactionEmoji({ emoticon: reaction }) }),
  );
}

function reactionsOf(views: readonly StoryView[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { reaction } of views) if (reaction !== undefined) counts.set(reaction, (counts.get(reaction) ?? 0) + 1);
  return counts;
}

/** Returns the updates for a posted or deleted story. */
export function storyPacket(
  world: World,
  viewer: Account,
  owner: Account,
  story: Api.TypeStoryItem,
  others: readonly Api.TypeUpdate[] = [],
): Api.Updates {
  const updates = [...others, new Api.UpdateStory({ peer: tlPeer(owner.userId), story })];
  return new Api.Updates({ updates, users: [tlUser(world, viewer, owner.person)], chats: [], date: unixNow(), seq: 0 });
}
