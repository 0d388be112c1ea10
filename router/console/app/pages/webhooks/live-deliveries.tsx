import { to } from "../../route/match-route.js";
import { lastingText } from "../../ui/ago.js";
import { Badge } from "../../ui/badge.js";
import type { DeliverySum } from "./delivery-sums.js";

/** What becomes of webhook events while somebody looks on, a row for each session. */
export function LiveDeliveries({ sums }: { sums: readonly DeliverySum[] }) {
  return (
    <section class="stack" aria-labelledby="live-title">
      <h2 id="live-title">Deliveries, live</h2>
      {sums.length === 0 ? (
        <p class="soft">Nothing was delivered since this page was opened. What happens from now on appears here by itself.</p>
      ) : (
        <div class="table-box" tabIndex={0} role="region" aria-labelledby="live-title">
          <table>
            <thead>
              <tr>
                <th scope="col">Session</th>
                <th scope="col" class="number">
                  Delivered
                </th>
                <th scope="col" class="number">
                  Failed attempts
                </th>
                <th scope="col" class="number">
                  Given up
                </th>
                <th scope="col" class="number">
                  Replayed
                </th>
                <th scope="col">Oldest event</th>
                <th scope="col">Last</th>
              </tr>
            </thead>
            <tbody>
              {sums.map((sum) => (
                <tr key={sum.session}>
                  <th scope="row" class="mono">
                    <a href={to("/sessions/:id", { id: sum.session })}>{sum.session}</a>
                  </th>
                  <td class="number">{sum.delivered.toLocaleString()}</td>
                  <td class="number">{sum.failed.toLocaleString()}</td>
                  <td class="number">{sum.dead.toLocaleString()}</td>
                  <td class="number">{sum.replayed.toLocaleString()}</td>
                  <td>
                    <OldestEvent seconds={sum.webhookLag} />
                  </td>
                  <td>
                    <time dateTime={sum.at}>{new Date(sum.at).toLocaleTimeString()}</time>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

/** A receiver that is this late is worth a look. */
const lateSeconds = 60;

/** For how long the oldest event of a session has waited. */
export function OldestEvent({ seconds }: { seconds: number }) {
  if (seconds === 0) return <Badge tone="good">none waits</Badge>;
  return <Badge tone={seconds > lateSeconds ? "bad" : "warn"}>waits {lastingText(seconds * 1_000)}</Badge>;
}
