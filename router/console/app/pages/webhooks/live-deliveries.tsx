import { to } from "../../route/match-route.js";
import { lastingText } from "../../ui/lasting-text.js";
import { clockText } from "../../ui/instant-text.js";
import { numberText } from "../../ui/number-text.js";
import { Badge } from "../../ui/badge.js";
import { Table } from "../../ui/table.js";
import type { DeliverySum } from "./delivery-sums.js";

/** Webhook deliveries while the page is open, one row per session. */
export function LiveDeliveries({ sums }: { sums: readonly DeliverySum[] }) {
  return (
    <div class="stack">
      <h2>Live deliveries</h2>
      {sums.length === 0 ? (
        <p class="soft">No deliveries yet. New ones appear here as they happen.</p>
      ) : (
        <Table
          label="Live deliveries"
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
            { title: "Delivered", kind: "number", cell: ({ delivered }) => numberText(delivered) },
            { title: "Failed attempts", kind: "number", cell: ({ failed }) => numberText(failed) },
            { title: "Failed permanently", kind: "number", cell: ({ dead }) => numberText(dead) },
            { title: "Replayed", kind: "number", cell: ({ replayed }) => numberText(replayed) },
            { title: "Oldest pending", cell: ({ webhookLag }) => <OldestEvent seconds={webhookLag} /> },
            { title: "Last activity", cell: ({ at }) => <time dateTime={at}>{clockText(at)}</time> },
          ]}
        />
      )}
    </div>
  );
}

/** Delay from which a receiver shows as bad. */
const lateSeconds = 60;

/** Shows the age of a session's oldest pending event. */
export function OldestEvent({ seconds }: { seconds: number }) {
  if (seconds === 0) return <Badge tone="good">none pending</Badge>;
  return <Badge tone={seconds > lateSeconds ? "bad" : "warn"}>{lastingText(seconds * 1_000)} behind</Badge>;
}
