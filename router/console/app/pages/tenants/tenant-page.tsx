import { call } from "../../api/call.js";
import type { TenantRow } from "../../api/operator-rows.js";
import { to } from "../../route/match-route.js";
import { go } from "../../route/place.js";
import { dayText } from "../../ui/instant-text.js";
import { Confirm } from "../../ui/confirm.js";
import { ProxyForm } from "../../ui/proxy-form.js";
import { useLoaded } from "../../ui/use-loaded.js";
import { View } from "../../ui/view.js";
import { KeysOf } from "../keys/keys-of.js";
import type { PageProps } from "../page-props.js";
import { MessageUsage } from "./message-usage.js";
import { NumberCard } from "./number-card.js";
import { SessionUsage } from "./session-usage.js";
import { paceForm, quotaForm } from "./tenant-forms.js";
import { WarmUpCard } from "./warm-up-card.js";
import { useSessionCounts } from "./use-session-counts.js";

/** Shows one tenant with its usage, quotas, pace, proxy and keys, and deletes it. */
export function TenantPage({ params: { name = "" } }: PageProps) {
  const tenant = useLoaded((signal) => call<TenantRow>(`GET /admin/tenants/${encodeURIComponent(name)}`, { signal }), [name]);
  const counts = useSessionCounts(name);
  return (
    <div class="page">
      <div class="page-head">
        <h1>{name}</h1>
        <div class="actions">
          <a class="button" href={to("/sessions", {}, { tenant: name })}>
            View sessions
          </a>
          <a class="button" href={to("/audit", {}, { tenant: name })}>
            View audit log
          </a>
          {tenant.value !== undefined && name !== "default" && (
            <Confirm
              label="Delete"
              kind="danger"
              title={`Delete tenant "${name}"?`}
              typed={name}
              act={(signal) => call(`DELETE /admin/tenants/${encodeURIComponent(name)}`, { signal })}
              onDone={() => go(to("/tenants"))}
            >
              <p>Deletes the tenant and revokes all its API keys immediately. Delete its sessions first.</p>
            </Confirm>
          )}
        </div>
      </div>
      <View of={tenant}>
        {(found) => (
          <>
            <p class="soft">Created {dayText(found.created)}</p>
            <section class="card" aria-labelledby="usage-title">
              <h2 id="usage-title">Usage</h2>
              <dl class="facts">
                <dt>Sessions</dt>
                <dd>
                  <SessionUsage tenant={name} quota={found.quotas.sessions} of={counts} />
                </dd>
                <dt>Messages today</dt>
                <dd>
                  <MessageUsage of={found} />
                </dd>
              </dl>
            </section>
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
              title="Sending pace"
              hint="Per session. 0 = unlimited."
              form={paceForm}
              numbers={found.pace}
              onDone={tenant.reload}
            />
            <WarmUpCard
              key={`warm-up ${JSON.stringify(found.pace.warmUp)}`}
              tenant={name}
              warmUp={found.pace.warmUp}
              onDone={tenant.reload}
            />
            <ProxyForm
              shown={found.proxy === null ? "No tenant proxy." : `Using the tenant's proxy: ${found.proxy}`}
              removable={found.proxy !== null}
              consequence="Sessions without their own proxy reconnect; no new login needed."
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
