import type { AuditRow } from "../../../../../../shared/cluster/audit/audit-row.js";
import { call } from "../../../api/call.js";
import type { Page } from "../../../api/rows.js";
import { useLiveReload } from "../../../live/use-live-reload.js";
import { to } from "../../../route/match-route.js";
import { Ago } from "../../../ui/ago.js";
import { Badge, StateBadge } from "../../../ui/badge.js";
import { useLoaded } from "../../../ui/use-loaded.js";
import { View } from "../../../ui/view.js";
import { actionText } from "../../audit/audit-texts.js";
import { actorName, useKeyLabels } from "../../audit/key-labels.js";
import { activityMax, recentActivity, type Activity, type StateChange } from "../activity.js";

/** Shows what was done to the session and its states since the page was opened, the newest first. */
export function RecentActivity({ id, states }: { id: string; states: readonly StateChange[] }) {
  const query = { session: id, reads: "0", order: "newest", limit: activityMax };
  const audit = useLoaded((signal) => call<Page<AuditRow>>("GET /admin/audit", { query, signal }), [id]);
  const labels = useKeyLabels();
  useLiveReload(audit.reload, (event) => event.type === "session" && event.session === id);
  return (
    <section class="card" aria-labelledby="activity-title">
      <h2 id="activity-title">Recent activity</h2>
      <View of={audit}>
        {({ docs }) => (
          <ol class="activity">
            {recentActivity(docs, states).map((line, index) => (
              <li key={`${line.at} ${index}`}>
                <Line line={line} labels={labels} />
                <Ago since={line.at} />
              </li>
            ))}
          </ol>
        )}
      </View>
      <a href={to("/audit", {}, { session: id })}>View audit log</a>
    </section>
  );
}

function Line({ line, labels }: { line: Activity; labels: ReadonlyMap<string, string> }) {
  if ("state" in line) return <StateBadge state={line.state} />;
  const { what, who, status } = line.audit;
  return (
    <div>
      {actionText(what)} {status >= 400 && <Badge tone={status < 500 ? "warn" : "bad"}>{status}</Badge>}
      <span class="more">{actorName(who, labels)}</span>
    </div>
  );
}
