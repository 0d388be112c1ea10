import type { Account } from "./account.js";
import { unixNow } from "./ids.js";
import type { StoredStory } from "./stored-story.js";
import type { World } from "./world.js";

/** Returns the account's active stories, oldest first, and removes the expired ones. */
export function activeStories(account: Account): readonly StoredStory[] {
  account.stories = account.stories.filter(({ expires }) => expires > unixNow());
  return account.stories;
}

/** Close friends are not simulated, so only the author sees stories for them. */
export function mayWatch(owner: Account, viewer: number, { audience }: StoredStory): boolean {
  if (viewer === owner.userId) return true;
  if (owner.blocked.has(viewer) || audience.deny.includes(viewer)) return false;
  return audience.allow.includes(viewer) || audience.base === "everyone" || (audience.base === "contacts" && owner.contacts.has(viewer));
}

export function visibleStories(viewer: Account, owner: Account): StoredStory[] {
  return activeStories(owner).filter((story) => mayWatch(owner, viewer.userId, story));
}

/** Returns the accounts that are notified of a story: the author's and those with the author as a contact. */
export function watchers(world: World, owner: Account, story: StoredStory): Account[] {
  return [...world.accounts.all()].filter(
    ({ userId, contacts }) => (userId === owner.userId || contacts.has(owner.userId)) && mayWatch(owner, userId, story),
  );
}

/** Views listed per story. Later viewers see the story but are not listed. */
const maxListedViews = 10_000;

/** Sets or removes a person's reaction, which also counts as a view. */
export function reactToStory(story: StoredStory, viewer: number, emoticon: string | undefined): void {
  const views = story.views ?? [];
  const at = views.findIndex(({ from }) => from === viewer);
  if (at < 0 && views.length >= maxListedViews) return;
  const date = views[at]?.date ?? unixNow();
  const view = { from: viewer, date, ...(emoticon !== undefined && { reaction: emoticon }) };
  story.views = at < 0 ? [...views, view] : views.with(at, view);
}

/** Records that a person viewed stories. The owner's views and repeated views do not count. */
export function seeStories(owner: Account, viewer: number, stories: readonly StoredStory[]): void {
  if (viewer === owner.userId) return;
  for (const story of stories) {
    const views = story.views ?? [];
    if (views.length >= maxListedViews || views.some(({ from }) => from === viewer)) continue;
    story.views = [...views, { from: viewer, date: unixNow() }];
  }
}
