import { Api } from "telegram";
import type { Account } from "../world/account.js";
import { long } from "../world/ids.js";
import type { StoredMessage } from "../world/message-box.js";
import { present } from "./present.js";

/** Newest reactions in a message. The full list needs a separate request. */
const shownReactors = 3;

type Reacted = Pick<StoredMessage, "reaction" | "reactors">;

/** Channels hide who reacted. */
export function tlReactions(viewer: Account, { reaction, reactors = [] }: Reacted, anonymous: boolean): Api.MessageReactions {
  const counts = new Map<string, number>(reaction === undefined ? [] : [[reaction, 1]]);
  for (const { emoticon } of reactors) counts.set(emoticon, (counts.get(emoticon) ?? 0) + 1);
  const own = reactors.find(({ from }) => from === viewer.userId)?.emoticon;
  const results = [...counts].map(
    ([emoticon, count]) =>
      new Api.ReactionCount(
        present({ reaction: new Api.ReactionEmoji({ emoticon }), count, chosenOrder: emoticon === own ? 0 : undefined }),
      ),
  );
  const recent = anonymous ? [] : reactors.slice(-shownReactors).toReversed();
  const recentReactions = recent.map(({ from, emoticon, date }) => {
    const peerId = new Api.PeerUser({ userId: long(from) });
    return new Api.MessagePeerReaction(
      present({
        peerId,
        date,
        reaction: new Api.ReactionEmoji({ emoticon }),
        my: from === viewer.userId || undefined,
      }),
    );
  });
  return new Api.MessageReactions(
    present({ canSeeList: !anonymous || undefined, results, ...(recentReactions.length > 0 && { recentReactions }) }),
  );
}

export function hasReactions({ reaction, reactors = [] }: Reacted): boolean {
  return reaction !== undefined || reactors.length > 0;
}
