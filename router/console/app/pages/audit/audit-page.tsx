import type { AuditRow } from "../../../../../shared/cluster/audit/audit-row.js";
import { to } from "../../route/match-route.js";
import { Ago } from "../../ui/ago.js";
import { instantText } from "../../ui/instant-text.js";
import { numberText } from "../../ui/number-text.js";
import { Badge } from "../../ui/badge.js";
import { PageFoot } from "../../ui/page-foot.js";
import { Table, type Column } from "../../ui/table.js";
import type { Tone } from "../../ui/tone.js";
import { Empty } from "../../ui/view.js";
import type { PageProps } from "../page-props.js";
import { AuditFilters } from "./audit-filters.js";
import { actionText } from "./audit-texts.js";
import { actorName, useKeyLabels } from "./key-labels.js";
import { useAudit } from "./use-audit.js";

/** Audit entries, newest first. */
export function AuditPage({ query }: PageProps) {
  const { since = "", tenant = "", session = "", reads = "", action = "" } = query;
  const given = { since, tenant, session, reads, action };
  const { pages, found } = useAudit(given);
  const labels = useKeyLabels();
  return (
    <div class="page">
      <h1>Audit log</h1>
      <p class="soft">Actions of operators, API keys and the cluster, newest first.</p>
      <AuditFilters key={JSON.stringify([since, tenant, session])} {...given} />
      {found.length > 0 && <Table label="Audit log" rows={found} keyOf={(_, index) => index} columns={columnsOf(labels)} />}
      {found.length === 0 && !pages.loading && !pages.hasMore && pages.failure === undefined ? (
        <Empty title="No entries">
          <p>No activity matches these filters.</p>
        </Empty>
      ) : (
        <PageFoot pages={pages} nouns={["entry", "entries"]} {...(action === "" ? {} : { found: found.length })} />
      )}
    </div>
  );
}

const columnsOf = (labels: ReadonlyMap<string, string>): readonly Column<AuditRow>[] => [
  {
    title: "Time",
    cell: ({ at }) => (
      <>
        <Ago since={at} />
        <span class="more">{instantText(at)}</span>
      </>
    ),
  },
  {
    title: "Action",
    kind: "name",
    cell: ({ what, count, requestId }) => (
      <>
        <span title={what}>{actionText(what)}</span>
        {count > 1 && ` (${numberText(count)} times)`}
        {requestId !== "" && <span class="more mono">{requestId}</span>}
      </>
    ),
  },
  {
    title: "Actor",
    cell: ({ who, from }) => (
      <>
        {actorName(who, labels)}
        {labels.has(who) && <span class="more mono">{who}</span>}
        <span class="more mono">{from}</span>
      </>
    ),
  },
  {
    title: "Target",
    cell: ({ session, target }) =>
      (session !== "" || target !== "") && (
        <span class="mono">{session === "" ? target : <a href={to("/sessions/:id", { id: session })}>{session}</a>}</span>
      ),
  },
  { title: "Tenant", cell: ({ tenant }) => tenant },
  { title: "Result", cell: ({ status }) => <Badge tone={toneOf(status)}>{status === 0 ? "Client disconnected" : status}</Badge> },
];

function toneOf(status: number): Tone {
  if (status === 0) return "idle";
  return status < 400 ? "good" : status < 500 ? "warn" : "bad";
}
