import { useState } from "preact/hooks";
import { call } from "../../api/call.js";
import { faultsByField } from "../../api/failure.js";
import type { TenantRow } from "../../api/operator-rows.js";
import { to } from "../../route/match-route.js";
import { go } from "../../route/place.js";
import { announce } from "../../ui/announcer.js";
import { instantText } from "../../ui/instant-text.js";
import { Button } from "../../ui/button.js";
import { Confirm } from "../../ui/confirm.js";
import { FormFailure } from "../../ui/form-failure.js";
import { Notice } from "../../ui/notice.js";
import { ProxyForm } from "../../ui/proxy-form.js";
import { useAction } from "../../ui/use-action.js";
import { useLoaded } from "../../ui/use-loaded.js";
import { View } from "../../ui/view.js";
import { KeysOf } from "../keys/keys-of.js";
import type { PageProps } from "../pages.js";
import { QuotaFields, quotaFaultNames } from "./quota-fields.js";
import { quotaChange, quotaTexts } from "./quota-form.js";

/** One tenant: its quotas, its keys, and its end. */
export function TenantPage({ params: { name = "" } }: PageProps) {
  const tenant = useLoaded((signal) => call<TenantRow>(`GET /admin/tenants/${encodeURIComponent(name)}`, { signal }), [name]);
  return (
    <div class="page">
      <div class="page-head">
        <h1>{name}</h1>
        <span class="soft">tenant</span>
        <div class="actions">
          <a class="button" href={to("/sessions", {}, { tenant: name })}>
            Its sessions
          </a>
          <a class="button" href={to("/audit", {}, { tenant: name })}>
            Its audit
          </a>
          {tenant.value !== undefined && name !== "default" && (
            <Confirm
              label="Delete"
              kind="danger"
              title={`Delete the tenant ${name}`}
              typed={name}
              act={(signal) => call(`DELETE /admin/tenants/${encodeURIComponent(name)}`, { signal })}
              onDone={() => go(to("/tenants"))}
            >
              <p>
                The tenant goes, and all its keys with it: whoever uses one is refused from then on. A tenant that has sessions is not
                deleted.
              </p>
            </Confirm>
          )}
        </div>
      </div>
      <View of={tenant}>
        {(found) => (
          <>
            <p class="soft">Since {instantText(found.created)}</p>
            <Quotas key={JSON.stringify(found.quotas)} tenant={found} onDone={tenant.reload} />
            <ProxyForm
              shown={found.proxy === null ? "Its sessions go through none but their own." : `Its sessions go through ${found.proxy}.`}
              removable={found.proxy !== null}
              told="Sessions that have none of their own connect anew, with the logins that they have."
              put={(proxy, signal) => call(`PATCH /admin/tenants/${encodeURIComponent(name)}`, { body: { proxy: proxy ?? null }, signal })}
              onDone={tenant.reload}
            />
            <KeysOf tenant={name} />
          </>
        )}
      </View>
    </div>
  );
}

function Quotas({ tenant: { name, quotas }, onDone }: { tenant: TenantRow; onDone: () => void }) {
  const before = quotaTexts(quotas);
  const [texts, setTexts] = useState(before);
  const change = quotaChange(before, texts);
  const action = useAction(async (signal) => {
    await call(`PATCH /admin/tenants/${encodeURIComponent(name)}`, { body: { quotas: change }, signal });
    announce("Quotas saved");
    onDone();
  });
  const faults = faultsByField(action.failure?.status === 400 ? action.failure.message : "", quotaFaultNames);
  return (
    <form
      class="card"
      aria-labelledby="quotas-title"
      onSubmit={(event) => {
        event.preventDefault();
        action.run();
      }}
    >
      <h2 id="quotas-title">Quotas</h2>
      <QuotaFields texts={texts} onChange={setTexts} faults={faults} />
      <FormFailure failure={action.failure} fields={quotaFaultNames} />
      {action.done !== undefined && <Notice kind="good">Saved: it holds at every router and shard within a second.</Notice>}
      <div class="actions">
        <Button type="submit" kind="primary" busy={action.busy} disabled={Object.keys(change).length === 0}>
          Save
        </Button>
      </div>
    </form>
  );
}
