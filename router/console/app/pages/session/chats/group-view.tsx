import type * as telegram from "../../../../../../shared/contract/telegram/group.js";
import type * as whatsapp from "../../../../../../shared/contract/whatsapp/group.js";
import { sessionCall, type SessionName } from "../../../api/session-call.js";
import { to } from "../../../route/match-route.js";
import { dayText } from "../../../ui/instant-text.js";
import { useLoaded } from "../../../ui/use-loaded.js";
import { Loading, View } from "../../../ui/view.js";
import { ChatHead } from "./chat-head.js";
import { ChatLine } from "./chat-line.js";
import { FoundList } from "./found-list.js";

/** As either platform has it. */
export type AnyGroup = whatsapp.Group & Partial<Pick<telegram.Group, "username">>;
type AnyMember = whatsapp.GroupMember & Partial<Pick<telegram.GroupMember, "username">>;

/** GET /group/{groupId} and GET /group/member: ten thousand of them at most. */
export function GroupView({ session, id }: { session: SessionName; id: string }) {
  const about = [session.id, id];
  const group = useLoaded(
    async (signal) => await sessionCall<AnyGroup>(session, `GET /group/${encodeURIComponent(id)}`, { signal }),
    about,
  );
  const members = useLoaded(
    async (signal) => await sessionCall<{ docs: readonly AnyMember[] }>(session, "GET /group/member", { query: { groupId: id }, signal }),
    about,
  );
  return (
    <>
      <View of={group}>
        {({ name, username = "", picture, description, created }) => (
          <ChatHead
            name={name}
            picture={picture}
            back={to("/sessions/:id/:tab", { id: session.id, tab: "groups" })}
            what="Back to groups"
            facts={[username === "" ? id : `@${username}`, created === null ? "" : `created ${dayText(created)}`]}
            description={description}
            send={to("/sessions/:id/:tab", { id: session.id, tab: "send" }, { kind: "group", to: id })}
          />
        )}
      </View>
      {members.loading && members.value === undefined && <Loading text="Loading members… Large groups take a few seconds." />}
      {(members.value !== undefined || members.failure !== undefined) && (
        <View of={members}>
          {({ docs }) => (
            <FoundList
              label="Members"
              rows={docs}
              keyOf={(member) => member.id}
              textsOf={({ name, username = "", phone, id: member }) => [name, username, phone, member]}
              nouns={["member", "members"]}
            >
              {({ id: member, name, username = "", phone }) => (
                <ChatLine
                  name={name}
                  more={[username === "" ? "" : `@${username}`, phone].filter((text) => text !== "").join(" · ") || "hidden"}
                  end={<span class="mono">{member}</span>}
                />
              )}
            </FoundList>
          )}
        </View>
      )}
    </>
  );
}
