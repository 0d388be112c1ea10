import { useState } from "preact/hooks";
import type { AuditRow } from "../../../../../shared/audit/audit-row.js";
import { usePages } from "../../api/use-pages.js";
import { to } from "../../route/match-route.js";
import { go } from "../../route/place.js";
import { may } from "../../sign-in/who.js";
import { instantText } from "../../ui/instant-text.js";
import { instantOf, localTimeOf } from "../../ui/local-time.js";
import { Badge } from "../../ui/badge.js";
import { Button } from "../../ui/button.js";
import { Field } from "../../ui/field.js";
import { PageFoot } from "../../ui/page-foot.js";
import { Table, type Column } from "../../ui/table.js";
import type { Tone } from "../../ui/tone.js";
import { Empty } from "../../ui/view.js";
import type { PageProps } from "../page-props.js";

/** Who did what, from an instant on. The filters stand in the address, so that a finding can be shown to others. */
export function AuditPage({ query }: PageProps) {
  const { since = "", tenant = "", session = "" } = query;
  const rows = usePages<AuditRow>("GET /admin/audit", { since, tenant, session, limit: 200 });
  return (
    <div class="page">
      <h1>Audit</h1>
      <p class="soft">
        Calls of operators, creates, resets, deletes, tries of a password, and what the cluster does by itself; the oldest first.
      </p>
      <Filters key={JSON.stringify(query)} since={since} tenant={tenant} session={session} />
      {rows.rows.length > 0 && <Table label="Audit" rows={rows.rows} keyOf={(_, index) => index} columns={columns} />}
      {rows.rows.length === 0 && !rows.loading && !rows.hasMore && rows.failure === undefined ? (
        <Empty title="Nothing is on record here">
          <p>Nobody did anything that these filters let through. Take one away, or look further back.</p>
        </Empty>
      ) : (
        <PageFoot pages={rows} nouns={["row", "rows"]} />
      )}
    </div>
  );
}

function Filters(given: { since: string; tenant: string; session: string }) {
  const shownSince = localTimeOf(given.since);
  const [since, setSince] = useState(shownSince);
  const [tenant, setTenant] = useState(given.tenant);
  const [session, setSession] = useState(given.session);
  return (
    <form
      class="toolbar"
      onSubmit={(event) => {
        event.preventDefault();
        // The field has minutes: an instant that nobody changed stays what it is.
        const instant = since === shownSince ? given.since : instantOf(since);
        go(to("/audit", {}, { since: instant, tenant: tenant.trim(), session: session.trim() }));
      }}
    >
      <Field label="Since" type="datetime-local" value={since} onInput={setSince} />
      {may("administer") && <Field label="Tenant" value={tenant} onInput={setTenant} placeholder="all" />}
      <Field label="Session" value={session} onInput={setSession} placeholder="id" />
      <Button type="submit" icon="search">
        Show
      </Button>
      <Button onClick={() => go(to("/audit", {}, { since: new Date(Date.now() - 3_600_000).toISOString(), tenant, session }))}>
        The last hour
      </Button>
    </form>
  );
}

const columns: readonly Column<AuditRow>[] = [
  { title: "When", cell: ({ at }) => <time dateTime={at}>{instantText(at)}</time> },
  {
    title: "Action",
    kind: "name",
    cell: ({ what, count, requestId }) => (
      <>
        {what}
        {count > 1 && ` (${count.toLocaleString()} times)`}
        {requestId !== "" && <span class="more mono">{requestId}</span>}
      </>
    ),
  },
  {
    title: "Actor",
    cell: ({ who, from }) => (
      <>
        {who}
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
