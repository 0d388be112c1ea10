import { sessionCall } from "../../../api/session-call.js";
import { to } from "../../../route/match-route.js";
import { Badge } from "../../../ui/badge.js";
import { useLoaded } from "../../../ui/use-loaded.js";
import { Empty, View } from "../../../ui/view.js";
import type { TabProps } from "../tab-props.js";
import { ChannelView, type AnyChannel } from "./channel-view.js";
import { ChatLine } from "./chat-line.js";
import { FoundList } from "./found-list.js";

/** GET /channel; and one of them, with its messages. */
export function ChannelsTab(props: TabProps) {
  return props.chat === undefined ? <ChannelList {...props} /> : <ChannelView session={props.session} id={props.chat} />;
}

function ChannelList({ session }: TabProps) {
  const channels = useLoaded(
    async (signal) => await sessionCall<{ docs: readonly AnyChannel[] }>(session, "GET /channel", { signal }),
    [session.id],
  );
  return (
    <View of={channels}>
      {({ docs }) =>
        docs.length === 0 ? (
          <Empty title="No channels yet">
            <p>This account doesn't follow any channels.</p>
          </Empty>
        ) : (
          <FoundList
            label="Channels"
            rows={docs}
            keyOf={({ id }) => id}
            textsOf={({ id, name, username = "" }) => [name, username, id]}
            nouns={["channel", "channels"]}
          >
            {({ id, name, username = "", picture, isOwner }) => (
              <ChatLine
                name={name}
                picture={picture}
                more={username === "" ? id : `@${username}`}
                href={to("/sessions/:id/:tab/:chat", { id: session.id, tab: "channels", chat: id })}
                end={isOwner && <Badge tone="info">Can post</Badge>}
              />
            )}
          </FoundList>
        )
      }
    </View>
  );
}
