import { call } from "../../../api/call.js";
import { sessionCall } from "../../../api/session-call.js";
import { to } from "../../../route/match-route.js";
import { go } from "../../../route/place.js";
import { may } from "../../../sign-in/who.js";
import { Confirm } from "../../../ui/confirm.js";
import type { TabProps } from "../tab-props.js";
import { MoveSession } from "./move-session.js";

/** What changes a session as a whole, each told before it is done. */
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
          title="Restart this session?"
          act={async (signal) => await call(`POST ${admin}/restart`, { signal })}
          onDone={reload}
        >
          <p>Its connection ends and another one is made. The login stays.</p>
        </Confirm>
        <MoveSession session={session} member={row.member} onDone={reload} />
        {may("use-session") && (
          <Confirm
            label="Reset"
            title="Reset this session?"
            act={async (signal) => await sessionCall(session, "POST /session/reset", { signal })}
            onDone={reload}
          >
            <p>It is logged out, and shows a new code to be scanned within three minutes. Id and secret stay.</p>
          </Confirm>
        )}
        <Confirm
          label="Delete"
          kind="danger"
          title="Delete this session?"
          act={async (signal) => await call(`DELETE ${admin}`, { signal })}
          onDone={() => go(to("/sessions"))}
        >
          <p>It is logged out on the platform and forgotten here. That cannot be taken back.</p>
        </Confirm>
      </div>
    </section>
  );
}
