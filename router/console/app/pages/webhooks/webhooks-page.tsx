import { lines } from "../../api/line-stream.js";
import type { SessionRow } from "../../api/rows.js";
import { to } from "../../route/match-route.js";
import { lastingText } from "../../ui/ago.js";
import { Badge, StateBadge } from "../../ui/badge.js";
import { Button } from "../../ui/button.js";
import { useLoaded } from "../../ui/use-loaded.js";
import { Empty, View } from "../../ui/view.js";
import { keepWorst } from "./keep-worst.js";

/** As many as a page shows well. */
const shownMax = 200;
/** A receiver that is this late is worth a look. */
const lateSeconds = 60;

/** Whose events wait for their receivers, the longest first. */
export function WebhooksPage() {
  const waiting = useLoaded(
    async (signal) => await keepWorst(lines<SessionRow>("GET /admin/sessions", { query: { platform: "telegram" }, signal }), shownMax),
    [],
  );
  return (
    <div class="page">
      <div class="page-head">
        <h1>Webhooks</h1>
        <div class="actions">
          <Button icon="refresh" busy={waiting.loading} onClick={waiting.reload}>
            Read again
          </Button>
        </div>
      </div>
      <p class="soft">
        Sessions whose receivers have not taken an event yet. An event is tried for 24 hours, then kept among the dead letters of its
        session for 7 days, to be replayed.
      </p>
      <View of={waiting}>
        {({ rows, seen }) =>
          rows.length === 0 ? (
            <Empty title="Nothing waits">
              <p>Looked at {seen.toLocaleString()} sessions: every receiver has what happened.</p>
            </Empty>
          ) : (
            <WaitingTable rows={rows} />
          )
        }
      </View>
    </div>
  );
}

function WaitingTable({ rows }: { rows: readonly SessionRow[] }) {
  return (
    <div class="table-box" tabIndex={0} role="region" aria-label="Sessions whose events wait">
      <table>
        <thead>
          <tr>
            <th scope="col">Session</th>
            <th scope="col">Tenant</th>
            <th scope="col">State</th>
            <th scope="col">Oldest event</th>
            <th scope="col">
              <span class="unseen">Where to</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <th scope="row">
                <a href={to("/sessions/:id", { id: row.id })}>{row.name === "" ? row.id : row.name}</a>
              </th>
              <td>{row.tenant}</td>
              <td>
                <StateBadge state={row.state} />
              </td>
              <td>
                <Badge tone={row.webhookLag > lateSeconds ? "bad" : "warn"}>waits {lastingText(row.webhookLag * 1_000)}</Badge>
              </td>
              <td>
                <a href={to("/sessions/:id/:tab", { id: row.id, tab: "dead-letters" })}>Dead letters</a>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
