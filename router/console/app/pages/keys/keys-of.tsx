import { useState } from "preact/hooks";
import { call } from "../../api/call.js";
import type { KeyRow } from "../../api/operator-rows.js";
import { usePages } from "../../api/use-pages.js";
import { instantText } from "../../ui/instant-text.js";
import { Ago } from "../../ui/ago.js";
import { Badge } from "../../ui/badge.js";
import { Button } from "../../ui/button.js";
import { Confirm } from "../../ui/confirm.js";
import { PageFoot } from "../../ui/page-foot.js";
import { Empty } from "../../ui/view.js";
import { NewKey } from "./new-key.js";

/** Keys of one tenant, or of all, with the way to make one and to revoke one. */
export function KeysOf({ tenant }: { tenant: string }) {
  const keys = usePages<KeyRow>("GET /admin/keys", { tenant });
  const [making, setMaking] = useState(false);
  return (
    <section class="stack" aria-labelledby="keys-title">
      <div class="page-head">
        <h2 id="keys-title">{tenant === "" ? "Keys of all tenants" : `Keys of ${tenant}`}</h2>
        <div class="actions">
          <Button icon="plus" onClick={() => setMaking(true)}>
            New key
          </Button>
        </div>
      </div>
      {keys.rows.length > 0 && (
        <div class="table-box" tabIndex={0} role="region" aria-label="API keys">
          <table>
            <thead>
              <tr>
                <th scope="col">Key</th>
                <th scope="col">Role</th>
                <th scope="col">Tenant</th>
                <th scope="col">Last use</th>
                <th scope="col">Expires</th>
                <th scope="col">Created</th>
                <th scope="col">
                  <span class="unseen">What can be done</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {keys.rows.map((key) => (
                <tr key={key.id}>
                  <th scope="row">
                    {key.label === "" ? "without a label" : key.label}
                    <span class="more mono">{key.id}</span>
                    {key.proxy !== null && <span class="more">through {key.proxy}</span>}
                  </th>
                  <td>
                    <Badge tone={key.role === "admin" ? "warn" : "info"}>{key.role}</Badge>
                  </td>
                  <td>{key.tenant ?? "all"}</td>
                  <td>
                    {key.lastUsed === null ? (
                      "never"
                    ) : (
                      <>
                        <Ago since={key.lastUsed} /> ago
                      </>
                    )}
                  </td>
                  <td>{key.expires === null ? "never" : instantText(key.expires)}</td>
                  <td>{instantText(key.created)}</td>
                  <td class="end">
                    <Revoke apiKey={key} onDone={keys.reload} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {keys.rows.length === 0 && !keys.loading && keys.failure === undefined ? (
        <Empty title="No keys yet">
          <p>Programs that create and use sessions show a key. Make one for each of them: what a key may do is its role.</p>
        </Empty>
      ) : (
        <PageFoot pages={keys} nouns={["key", "keys"]} />
      )}
      {making && <NewKey tenant={tenant} onClose={() => setMaking(false)} onMade={keys.reload} />}
    </section>
  );
}

function Revoke({ apiKey: { id, label, role, tenant }, onDone }: { apiKey: KeyRow; onDone: () => void }) {
  return (
    <Confirm
      label="Revoke"
      kind="danger"
      title={`Revoke the key ${label === "" ? id : label}`}
      typed={label === "" ? id : label}
      act={(signal) => call(`DELETE /admin/keys/${encodeURIComponent(id)}`, { signal })}
      onDone={onDone}
    >
      <p>
        No router takes this key (role {role}, {tenant === null ? "all tenants" : `tenant ${tenant}`}) a second later. It cannot be brought
        back.
      </p>
    </Confirm>
  );
}
