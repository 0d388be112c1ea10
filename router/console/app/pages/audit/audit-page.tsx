import { useState } from "preact/hooks";
import type { AuditRow } from "../../../../../shared/cluster/audit/audit-row.js";
import { usePages } from "../../api/use-pages.js";
import { to } from "../../route/match-route.js";
import { go } from "../../route/place.js";
import { may } from "../../sign-in/who.js";
import { instantText } from "../../ui/instant-text.js";
import { instantOf, localTimeOf } from "../../ui/local-time.js";
import { numberText } from "../../ui/number-text.js";
import { Badge } from "../../ui/badge.js";
import { Button } from "../../ui/button.js";
import { Field } from "../../ui/field.js";
import { PageFoot } from "../../ui/page-foot.js";
import { Table, type Column } from "../../ui/table.js";
import type { Tone } from "../../ui/tone.js";
import { Empty } from "../../ui/view.js";
import type { PageProps } from "../page-props.js";
import { labelText } from "../keys/label-text.js";
import { actionText, actorText } from "./audit-texts.js";
import { useKeyLabels } from "./key-labels.js";

/** Audit entries, newest first. The filters are in the address, so that a result can be shared. */
export function AuditPage({ query }: PageProps) {
  const { since = "", tenant = "", session = "", reads = "" } = query;
  const rows = usePages<AuditRow>("GET /admin/audit", { since, tenant, session, reads, order: "newest", limit: 200 });
  const labels = useKeyLabels();
  return (
    <div class="page">
      <h1>Audit log</h1>
      <p class="soft">Actions of operators, API keys and the cluster, newest first.</p>
      <Filters key={JSON.stringify([since, tenant, session])} since={since} tenant={tenant} session={session} reads={reads} />
      {rows.rows.length > 0 && <Table label="Audit log" rows={rows.rows} keyOf={(_, index) => index} columns={columnsOf(labels)} />}
      {rows.rows.length === 0 && !rows.loading && !rows.hasMore && rows.failure === undefined ? (
        <Empty title="No entries">
          <p>No activity matches these filters.</p>
        </Empty>
      ) : (
        <PageFoot pages={rows} nouns={["entry", "entries"]} />
      )}
    </div>
  );
}

interface FiltersProps {
  readonly since: string;
  readonly tenant: string;
  readonly session: string;
  /** `0`: calls that only read are hidden. */
  readonly reads: string;
}

function Filters(given: FiltersProps) {
  const shownSince = localTimeOf(given.since);
  const [since, setSince] = useState(shownSince);
  const [tenant, setTenant] = useState(given.tenant);
  const [session, setSession] = useState(given.session);
  // The field shows minutes only, so an unchanged value keeps its exact instant.
  const instant = (): string => (since === shownSince ? given.since : instantOf(since));
  const show = (other: Partial<FiltersProps> = {}): void =>
    go(to("/audit", {}, { since: instant(), tenant: tenant.trim(), session: session.trim(), reads: given.reads, ...other }));
  return (
    <form
      class="toolbar"
      onSubmit={(event) => {
        event.preventDefault();
        show();
      }}
    >
      <Field label="Since" type="datetime-local" value={since} onInput={setSince} />
      {may("administer") && <Field label="Tenant" value={tenant} onInput={setTenant} placeholder="All" />}
      <Field label="Session" value={session} onInput={setSession} placeholder="Session ID" />
      <Button type="submit" icon="search">
        Filter
      </Button>
      <Button onClick={() => show({ since: new Date(Date.now() - 3_600_000).toISOString() })}>Last hour</Button>
      <label class="check">
        <input
          type="checkbox"
          role="switch"
          checked={given.reads === "0"}
          onChange={(event) => show({ reads: event.currentTarget.checked ? "0" : "" })}
        />
        Hide reads
      </label>
    </form>
  );
}

const columnsOf = (labels: ReadonlyMap<string, string>): readonly Column<AuditRow>[] => [
  {
    title: "Time",
    cell: ({ at }) => (
      <time dateTime={at} title={at}>
        {instantText(at)}
      </time>
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
        {labels.has(who) ? labelText(labels.get(who) ?? "") : actorText(who)}
        {labels.has(who) && <span class="more mono">{who}</span>}
        <span class="more mono">{from}</span>
      </>
    ),
  },
  {
    title: "Target",
    cell: ({ session, target }) => (
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
