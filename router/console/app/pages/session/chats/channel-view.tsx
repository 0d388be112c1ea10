import { useEffect, useState } from "preact/hooks";
import type * as telegram from "../../../../../../shared/contract/telegram/channel.js";
import type * as whatsapp from "../../../../../../shared/contract/whatsapp/channel.js";
import { sessionCall, type SessionName } from "../../../api/session-call.js";
import { to } from "../../../route/match-route.js";
import { Button } from "../../../ui/button.js";
import { FailureNotice } from "../../../ui/notice.js";
import { useAction } from "../../../ui/use-action.js";
import { useLoaded } from "../../../ui/use-loaded.js";
import { Empty, Loading, View } from "../../../ui/view.js";
import { ChannelPost, type AnyMessage } from "./channel-post.js";
import { ChatHead } from "./chat-head.js";

/** As either platform has it. */
export type AnyChannel = whatsapp.Channel & Partial<Pick<telegram.Channel, "username">>;

const pageLimit = 30;

/** GET /channel/{channelId} and GET /channel/message, newest first. */
export function ChannelView({ session, id }: { session: SessionName; id: string }) {
  const channel = useLoaded(
    async (signal) => await sessionCall<AnyChannel>(session, `GET /channel/${encodeURIComponent(id)}`, { signal }),
    [session.id, id],
  );
  return (
    <div class="stack channel">
      <View of={channel}>
        {({ name, username = "", picture, isOwner }) => (
          <ChatHead
            name={name}
            picture={picture}
            back={to("/sessions/:id/:tab", { id: session.id, tab: "channels" })}
            what="Back to channels"
            facts={[username === "" ? id : `@${username}`, isOwner ? "You can post here" : ""]}
            {...(isOwner ? { send: to("/sessions/:id/:tab", { id: session.id, tab: "send" }, { kind: fieldOf(session), to: id }) } : {})}
          />
        )}
      </View>
      <Posts key={id} session={session} id={id} />
    </div>
  );
}

/** Returns the field that names a channel in a message. */
function fieldOf({ platform }: SessionName): string {
  return platform === "telegram" ? "channel" : "newsletter";
}

function Posts({ session, id }: { session: SessionName; id: string }) {
  const [posts, setPosts] = useState<readonly AnyMessage[]>([]);
  const [over, setOver] = useState(false);
  const action = useAction(async (signal) => {
    const before = posts.at(-1)?.id;
    const query = { channelId: id, limit: pageLimit, before };
    const { docs } = await sessionCall<{ docs: readonly AnyMessage[] }>(session, "GET /channel/message", { query, signal });
    setPosts([...posts, ...docs]);
    if (docs.length < pageLimit) setOver(true);
  });
  useEffect(action.run, []);
  return (
    <>
      {posts.map((post) => (
        <ChannelPost key={post.id} post={post} />
      ))}
      {action.failure !== undefined && <FailureNotice failure={action.failure} doing="load messages" onRetry={() => action.run()} />}
      {action.busy && <Loading text="Loading messages…" />}
      {over && posts.length === 0 && <Empty title="No messages yet" />}
      {!over && !action.busy && action.failure === undefined && (
        <div class="actions">
          <Button onClick={() => action.run()}>Load older</Button>
        </div>
      )}
    </>
  );
}
