import { call } from "../../../api/call.js";
import { to } from "../../../route/match-route.js";
import { go } from "../../../route/place.js";
import { Confirm } from "../../../ui/confirm.js";
import type { TabProps } from "../tab-props.js";
import { MoveSession } from "./move-session.js";
import { SessionProxy } from "./session-proxy.js";

/** Holds the controls that are needed rarely: proxy, shard and deletion. */
export function SettingsTab({ session, row, reload }: TabProps) {
  const { member, slot } = row;
  return (
    <div class="stack settings">
      <SessionProxy session={session} row={row} reload={reload} />
      <section class="card" aria-labelledby="shard-title">
        <h2 id="shard-title">Shard</h2>
        <p class="soft">{member === "" ? `Unassigned (slot ${slot}).` : `Runs on ${member} (slot ${slot}).`}</p>
        <div class="actions">
          <MoveSession session={session} member={member} onDone={reload} />
        </div>
      </section>
      <section class="card" aria-labelledby="delete-title">
        <h2 id="delete-title">Delete session</h2>
        <p class="soft">Logs the account out and deletes the session permanently.</p>
        <div class="actions">
          <Confirm
            label="Delete"
            kind="danger"
            title="Delete session?"
            // Without a signal: the event of the deletion replaces this page before the response arrives.
            act={async () => await call(`DELETE /admin/sessions/${session.id}`)}
            onDone={() => go(to("/sessions"))}
          >
            <p>The account is logged out and the session is permanently deleted. This can't be undone.</p>
          </Confirm>
        </div>
      </section>
    </div>
  );
}
