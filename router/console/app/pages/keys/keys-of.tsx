import { useState } from "preact/hooks";
import { call } from "../../api/call.js";
import type { KeyRow } from "../../api/operator-rows.js";
import { roleNames } from "../../api/rows.js";
import { usePages } from "../../api/use-pages.js";
import { dayText, instantText } from "../../ui/instant-text.js";
import { Ago } from "../../ui/ago.js";
import { Badge } from "../../ui/badge.js";
import { Button } from "../../ui/button.js";
import { Confirm } from "../../ui/confirm.js";
import { PageFoot } from "../../ui/page-foot.js";
import { Table } from "../../ui/table.js";
import { Empty } from "../../ui/view.js";
import { labelText } from "./label-text.js";
import { NewKey } from "./new-key.js";

/** Keys of one tenant, or of all, with the way to make one and to revoke one. */
export function KeysOf({ tenant }: { tenant: string }) {
  const keys = usePages<KeyRow>("GET /admin/keys", { tenant });
  const [making, setMaking] = useState(false);
  return (
    <section class="stack" aria-labelledby="keys-title">
      <div class="page-head">
        <h2 id="keys-title">{tenant === "" ? "All keys" : `Keys for ${tenant}`}</h2>
        <div class="actions">
          <Button icon="plus" opensDialog onClick={() => setMaking(true)}>
            New key
          </Button>
        </div>
      </div>
      {keys.rows.length > 0 && (
        <Table
          label="API keys"
          rows={keys.rows}
          keyOf={({ id }) => id}
          columns={[
            { title: "Key", kind: "name", cell: (key) => <KeyName apiKey={key} /> },
            { title: "Role", cell: ({ role }) => <Badge tone={role === "admin" ? "warn" : "info"}>{roleNames[role]}</Badge> },
            { title: "Tenant", cell: (key) => key.tenant ?? "All" },
            { title: "Last used", cell: ({ lastUsed }) => (lastUsed === null ? "Never" : <Ago since={lastUsed} />) },
            { title: "Expires", cell: ({ expires }) => (expires === null ? "Never" : instantText(expires)) },
            { title: "Created", cell: ({ created }) => dayText(created) },
            { title: "Actions", kind: "buttons", cell: (key) => <Revoke apiKey={key} onDone={keys.reload} /> },
          ]}
        />
      )}
      {keys.rows.length === 0 && !keys.loading && keys.failure === undefined ? (
        <Empty title="No API keys yet">
          <p>Create one key per application. Its role defines what it can do.</p>
        </Empty>
      ) : (
        <PageFoot pages={keys} nouns={["key", "keys"]} />
      )}
      {making && <NewKey tenant={tenant} onClose={() => setMaking(false)} onMade={keys.reload} />}
    </section>
  );
}

function KeyName({ apiKey: { id, label, proxy } }: { apiKey: KeyRow }) {
  return (
    <>
      {labelText(label)}
      <span class="more mono">{id}</span>
      {proxy !== null && <span class="more">via {proxy}</span>}
    </>
  );
}

function Revoke({ apiKey: { id, label, role, tenant }, onDone }: { apiKey: KeyRow; onDone: () => void }) {
  const name = label === "" ? id : labelText(label);
  return (
    <Confirm
      label="Revoke"
      kind="danger"
      title={`Revoke "${name}"?`}
      typed={name}
      act={(signal) => call(`DELETE /admin/keys/${encodeURIComponent(id)}`, { signal })}
      onDone={onDone}
    >
      <p>
        Requests with this key ({roleNames[role]}, {tenant === null ? "all tenants" : `tenant ${tenant}`}) are rejected within a second.
        This can't be undone.
      </p>
    </Confirm>
  );
}
