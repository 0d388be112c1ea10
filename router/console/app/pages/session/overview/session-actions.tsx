import { call } from "../../../api/call.js";
import { sessionCall } from "../../../api/session-call.js";
import { may } from "../../../sign-in/who.js";
import { Confirm } from "../../../ui/confirm.js";
import { isLinked } from "../is-linked.js";
import type { TabProps } from "../tab-props.js";

/** Actions on the connection and the login, each with a confirmation. */
export function SessionActions({ session, row, reload }: TabProps) {
  if (!may("operate-session")) return null;
  const [label, loss] = isLinked(row.state)
    ? ["Log out and relink", "The account is logged out and a new QR code is shown"]
    : ["Start over", "A new QR code is shown"];
  return (
    <section class="card" aria-labelledby="actions-title">
      <h2 id="actions-title">Actions</h2>
      <div class="actions">
        {isLinked(row.state) && (
          <Confirm
            label="Restart"
            icon="refresh"
            title="Restart session?"
            act={async (signal) => await call(`POST /admin/sessions/${session.id}/restart`, { signal })}
            onDone={reload}
          >
            <p>The session disconnects and reconnects. You stay logged in.</p>
          </Confirm>
        )}
        {may("use-session") && (
          <Confirm
            label={label}
            kind={isLinked(row.state) ? "danger" : "plain"}
            title={`${label}?`}
            act={async (signal) => await sessionCall(session, "POST /session/reset", { signal })}
            onDone={reload}
          >
            <p>{loss}, valid for 3 minutes. Session ID and secret don't change.</p>
          </Confirm>
        )}
      </div>
    </section>
  );
}
