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

export function visibleStories(viewer: Account, owner: Account): StoredStory[] {
  return activeStories(owner).filter((story) => mayWatch(owner, viewer.userId, story));
}

/** Accounts that are told of a story without asking: its author's, and those that have the author among their contacts. */
export function watchers(world: World, owner: Account, story: StoredStory): Account[] {
  return [...world.accounts.all()].filter(
    ({ userId, contacts }) => (userId === owner.userId || contacts.has(owner.userId)) && mayWatch(owner, userId, story),
  );
}

/** Of one story; who comes later sees it and is not listed. */
const maxListedViews = 10_000;

/** A reaction of somebody who thereby has seen it, or none any more. */
export function reactToStory(story: StoredStory, viewer: number, emoticon: string | undefined): void {
  const views = story.views ?? [];
  const at = views.findIndex(({ from }) => from === viewer);
  if (at < 0 && views.length >= maxListedViews) return;
  const date = views[at]?.date ?? unixNow();
  const view = { from: viewer, date, ...(emoticon !== undefined && { reaction: emoticon }) };
  story.views = at < 0 ? [...views, view] : views.with(at, view);
}

/** The person has seen these of the owner's stories; an owner's own look does not count, nor does a second one. */
export function seeStories(owner: Account, viewer: number, stories: readonly StoredStory[]): void {
  if (viewer === owner.userId) return;
  for (const story of stories) {
    const views = story.views ?? [];
    if (views.length >= maxListedViews || views.some(({ from }) => from === viewer)) continue;
    story.views = [...views, { from: viewer, date: unixNow() }];
  }
}
