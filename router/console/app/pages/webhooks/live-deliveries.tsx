import { to } from "../../route/match-route.js";
import { lastingText } from "../../ui/lasting-text.js";
import { Badge } from "../../ui/badge.js";
import { Table } from "../../ui/table.js";
import type { DeliverySum } from "./delivery-sums.js";

/** What becomes of webhook events while somebody looks on, a row for each session. */
export function LiveDeliveries({ sums }: { sums: readonly DeliverySum[] }) {
  return (
    <div class="stack">
      <h2>Deliveries, live</h2>
      {sums.length === 0 ? (
        <p class="soft">Nothing was delivered since this page was opened. What happens from now on appears here by itself.</p>
      ) : (
        <Table
          label="Deliveries, live"
          rows={sums}
          keyOf={({ session }) => session}
          columns={[
            {
              title: "Session",
              kind: "name",
              cell: ({ session }) => (
                <a class="mono" href={to("/sessions/:id", { id: session })}>
                  {session}
                </a>
              ),
            },
            { title: "Delivered", kind: "number", cell: ({ delivered }) => delivered.toLocaleString() },
            { title: "Failed attempts", kind: "number", cell: ({ failed }) => failed.toLocaleString() },
            { title: "Given up", kind: "number", cell: ({ dead }) => dead.toLocaleString() },
            { title: "Replayed", kind: "number", cell: ({ replayed }) => replayed.toLocaleString() },
            { title: "Oldest event", cell: ({ webhookLag }) => <OldestEvent seconds={webhookLag} /> },
            { title: "Last", cell: ({ at }) => <time dateTime={at}>{new Date(at).toLocaleTimeString()}</time> },
          ]}
        />
      )}
    </div>
  );
}

/** A receiver that is this late is worth a look. */
const lateSeconds = 60;

/** For how long the oldest event of a session has waited. */
export function OldestEvent({ seconds }: { seconds: number }) {
  if (seconds === 0) return <Badge tone="good">none waits</Badge>;
  return <Badge tone={seconds > lateSeconds ? "bad" : "warn"}>waits {lastingText(seconds * 1_000)}</Badge>;
}
