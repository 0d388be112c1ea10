import { call } from "../../api/call.js";
import type { TenantRow } from "../../api/operator-rows.js";
import { to } from "../../route/match-route.js";
import { go } from "../../route/place.js";
import { instantText } from "../../ui/instant-text.js";
import { Confirm } from "../../ui/confirm.js";
import { ProxyForm } from "../../ui/proxy-form.js";
import { useLoaded } from "../../ui/use-loaded.js";
import { View } from "../../ui/view.js";
import { KeysOf } from "../keys/keys-of.js";
import type { PageProps } from "../page-props.js";
import { NumberCard } from "./number-card.js";
import { paceForm, quotaForm } from "./tenant-forms.js";

/** One tenant: its quotas, its pace, its proxy, its keys, and its end. */
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
            <NumberCard
              key={`quotas ${JSON.stringify(found.quotas)}`}
              tenant={name}
              title="Quotas"
              form={quotaForm}
              numbers={found.quotas}
              onDone={tenant.reload}
            />
            <NumberCard
              key={`pace ${JSON.stringify(found.pace)}`}
              tenant={name}
              title="Pace"
              hint="Of each of its sessions. 0 is as fast as it can."
              form={paceForm}
              numbers={found.pace}
              onDone={tenant.reload}
            />
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
