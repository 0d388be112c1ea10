import { Api } from "telegram";
import type { Account } from "../world/account.js";
import { long, unixNow } from "../world/ids.js";
import type { StoredStory } from "../world/stored-story.js";
import type { World } from "../world/world.js";
import { tlEntities } from "./entities.js";
import { tlMessageMedia } from "./media.js";
import { tlPeer } from "./message.js";
import { tlUser } from "./user.js";
import { present } from "./present.js";

export function tlStory(world: World, viewer: Account, owner: Account, story: StoredStory): Api.StoryItem {
  const { id, date, expires, caption, entities, attachment, audience } = story;
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
    }),
  );
}

/** How many of the last viewers are named with the count. */
const recentViewers = 3;

/** What its author is told of it; a list of viewers is asked for apart. */
export function tlStoryViews({ views = [] }: StoredStory): Api.StoryViews {
  const recent = views.slice(-recentViewers).map(({ from }) => long(from));
  return new Api.StoryViews(
    present({ hasViewers: views.length > 0 || undefined, viewsCount: views.length, recentViewers: recent.length > 0 ? recent : undefined }),
  );
}

/** What a device is told when a story is posted or taken down. */
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
