import type { TabProps } from "../tab-props.js";
import { AccountCard } from "./account-card.js";
import { CodeCard } from "./code-card.js";
import { Facts } from "./facts.js";
import { PasswordCard } from "./password-card.js";
import { SessionActions } from "./session-actions.js";

/** Shows the session's state and the next step. */
export function Overview(props: TabProps) {
  return (
    <div class="columns">
      <div class="stack">
        <Standing {...props} />
      </div>
      <div class="stack">
        <Facts row={props.row} />
        <SessionActions {...props} />
      </div>
    </div>
  );
}

function Standing(props: TabProps) {
  const { row, record, session, reload } = props;
  switch (row.state) {
    case "awaiting-qr":
      return <CodeCard {...props} />;
    case "awaiting-password":
      return <PasswordCard session={session} hint={record?.passwordHint ?? ""} since={row.since} onDone={reload} />;
    case "connected":
    case "disconnected":
      return <AccountCard row={row} record={record} />;
    default:
      return row.state satisfies never;
  }
}
