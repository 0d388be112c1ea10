import { call } from "../../../api/call.js";
import { sessionCall } from "../../../api/session-call.js";
import { to } from "../../../route/match-route.js";
import { go } from "../../../route/place.js";
import { may } from "../../../sign-in/who.js";
import { Confirm } from "../../../ui/confirm.js";
import type { TabProps } from "../tab-props.js";
import { MoveSession } from "./move-session.js";

/** Actions on the whole session, each with a confirmation. */
export function SessionActions({ session, row, reload }: TabProps) {
  if (!may("operate-session")) return null;
  const admin = `/admin/sessions/${session.id}` as const;
  return (
    <section class="card" aria-labelledby="actions-title">
      <h2 id="actions-title">Actions</h2>
      <div class="actions">
        <Confirm
          label="Restart"
          icon="refresh"
          title="Restart session?"
          act={async (signal) => await call(`POST ${admin}/restart`, { signal })}
          onDone={reload}
        >
          <p>The session disconnects and reconnects. You stay logged in.</p>
        </Confirm>
        <MoveSession session={session} member={row.member} onDone={reload} />
        {may("use-session") && (
          <Confirm
            label="Log out and relink"
            kind="danger"
            title="Log out and relink?"
            act={async (signal) => await sessionCall(session, "POST /session/reset", { signal })}
            onDone={reload}
          >
            <p>The account is logged out and a new QR code is shown, valid for 3 minutes. Session ID and secret don't change.</p>
          </Confirm>
        )}
        <Confirm
          label="Delete"
          kind="danger"
          title="Delete session?"
          // Without a signal: the event of the deletion replaces this page before the response arrives.
          act={async () => await call(`DELETE ${admin}`)}
          onDone={() => go(to("/sessions"))}
        >
          <p>The account is logged out and the session is permanently deleted. This can't be undone.</p>
        </Confirm>
      </div>
    </section>
  );
}
