import { lines } from "../../api/line-stream.js";
import type { SessionRow } from "../../api/rows.js";
import { to } from "../../route/match-route.js";
import { StateBadge } from "../../ui/badge.js";
import { Button } from "../../ui/button.js";
import { countText } from "../../ui/count-text.js";
import { Table } from "../../ui/table.js";
import { useLoaded } from "../../ui/use-loaded.js";
import { Empty, View } from "../../ui/view.js";
import { titleOf } from "../sessions/session-list.js";
import { withLags } from "./delivery-sums.js";
import { keepWorst } from "./keep-worst.js";
import { LiveDeliveries, OldestEvent } from "./live-deliveries.js";
import { useDeliveries } from "./use-deliveries.js";

/** Most rows on the page. */
const shownMax = 200;
/** Lists sessions with pending events, the oldest first, and live deliveries. */
export function WebhooksPage() {
  const sums = useDeliveries();
  const waiting = useLoaded(async (signal) => await keepWorst(lines<SessionRow>("GET /admin/sessions", { signal }), shownMax), []);
  return (
    <div class="page">
      <div class="page-head">
        <h1>Webhooks</h1>
        <div class="actions">
          <Button icon="refresh" busy={waiting.loading} onClick={() => waiting.reload()}>
            Refresh
          </Button>
        </div>
      </div>
      <p class="soft">
        Sessions with undelivered events. Events are retried for 24 hours, then kept for 7 days as failed events you can replay.
      </p>
      <View of={waiting}>{({ rows, seen }) => <Waiting rows={withLags(rows, sums)} seen={seen} />}</View>
      <LiveDeliveries sums={sums} />
    </div>
  );
}

function Waiting({ rows, seen }: { rows: readonly SessionRow[]; seen: number }) {
  if (rows.length > 0) return <WaitingTable rows={rows} />;
  return (
    <Empty title="All caught up">
      <p>Checked {countText(seen, ["session", "sessions"])}. No events are pending.</p>
    </Empty>
  );
}

function WaitingTable({ rows }: { rows: readonly SessionRow[] }) {
  return (
    <Table
      label="Sessions with pending events"
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        { title: "Session", kind: "name", cell: (row) => <a href={to("/sessions/:id", { id: row.id })}>{titleOf(row)}</a> },
        { title: "Tenant", cell: ({ tenant }) => tenant },
        { title: "State", cell: ({ state }) => <StateBadge state={state} /> },
        { title: "Oldest pending", cell: ({ webhookLag }) => <OldestEvent seconds={webhookLag} /> },
        {
          title: "Actions",
          kind: "buttons",
          cell: ({ id }) => <a href={to("/sessions/:id/:tab", { id, tab: "dead-letters" })}>Failed events</a>,
        },
      ]}
    />
  );
}
