import { sessionCall } from "../../../api/session-call.js";
import { to } from "../../../route/match-route.js";
import { useLoaded } from "../../../ui/use-loaded.js";
import { Empty, View } from "../../../ui/view.js";
import type { TabProps } from "../tab-props.js";
import { ChatLine } from "./chat-line.js";
import { FoundList } from "./found-list.js";
import { GroupView, type AnyGroup } from "./group-view.js";

/** GET /group; and one of them, with its members. */
export function GroupsTab(props: TabProps) {
  return props.chat === undefined ? <GroupList {...props} /> : <GroupView session={props.session} id={props.chat} />;
}

function GroupList({ session }: TabProps) {
  const groups = useLoaded(
    async (signal) => await sessionCall<{ docs: readonly AnyGroup[] }>(session, "GET /group", { signal }),
    [session.id],
  );
  return (
    <View of={groups}>
      {({ docs }) =>
        docs.length === 0 ? (
          <Empty title="No groups yet">
            <p>This account isn't in any group.</p>
          </Empty>
        ) : (
          <FoundList
            label="Groups"
            rows={docs}
            keyOf={({ id }) => id}
            textsOf={({ id, name, username = "" }) => [name, username, id]}
            nouns={["group", "groups"]}
          >
            {({ id, name, username = "", picture, description }) => (
              <ChatLine
                name={name}
                picture={picture}
                more={[username === "" ? id : `@${username}`, description.split("\n")[0] ?? ""].filter((text) => text !== "").join(" · ")}
                href={to("/sessions/:id/:tab/:chat", { id: session.id, tab: "groups", chat: id })}
              />
            )}
          </FoundList>
        )
      }
    </View>
  );
}
