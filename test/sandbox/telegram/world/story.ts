import type { Account } from "./account.js";
import { unixNow } from "./ids.js";
import type { StoredStory } from "./stored-story.js";
import type { World } from "./world.js";

/** The stories of an account that are up now, oldest first; those whose time is over are forgotten. */
export function activeStories(account: Account): readonly StoredStory[] {
  account.stories = account.stories.filter(({ expires }) => expires > unixNow());
  return account.stories;
}

/** The sandbox keeps no list of close friends, so only their author sees theirs. */
export function mayWatch(owner: Account, viewer: number, { audience }: StoredStory): boolean {
  if (viewer === owner.userId) return true;
  if (owner.blocked.has(viewer) || audience.deny.includes(viewer)) return false;
  return audience.allow.includes(viewer) || audience.base === "everyone" || (audience.base === "contacts" && owner.contacts.has(viewer));
}

/** Accounts that are told of a story without asking: its author's, and those that have the author among their contacts. */
export function watchers(world: World, owner: Account, story: StoredStory): Account[] {
  return [...world.accounts.all()].filter(
    ({ userId, contacts }) => (userId === owner.userId || contacts.has(owner.userId)) && mayWatch(owner, userId, story),
  );
}
