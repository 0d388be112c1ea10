import { isLinked } from "../is-linked.js";
import type { TabProps } from "../tab-props.js";
import { AccountCard } from "./account-card.js";
import { CodeCard } from "./code-card.js";
import { Facts } from "./facts.js";
import { HealthCard } from "./health-card.js";
import { PasswordCard } from "./password-card.js";
import { RecentActivity } from "./recent-activity.js";
import { SessionActions } from "./session-actions.js";
import { UseFromCode } from "./use-from-code.js";

/** Shows the session's state, the next step, its code and its recent activity. Without an account there is nothing to send from code. */
export function Overview(props: TabProps) {
  return (
    <div class="columns">
      <div class="stack">
        <Standing {...props} />
        <HealthCard row={props.row} />
        {isLinked(props.row.state) && props.record !== undefined && <UseFromCode session={props.session} />}
      </div>
      <div class="stack">
        <Facts row={props.row} />
        <SessionActions {...props} />
        <RecentActivity id={props.row.id} states={props.states} />
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
