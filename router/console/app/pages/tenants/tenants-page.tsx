import { useState } from "preact/hooks";
import { call } from "../../api/call.js";
import { faultsByField } from "../../api/failure.js";
import type { TenantRow } from "../../api/operator-rows.js";
import { usePages } from "../../api/use-pages.js";
import { to } from "../../route/match-route.js";
import { go } from "../../route/place.js";
import { instantText } from "../../ui/instant-text.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { DialogFoot } from "../../ui/dialog-foot.js";
import { Field } from "../../ui/field.js";
import { PageFoot } from "../../ui/page-foot.js";
import { useAction } from "../../ui/use-action.js";
import { NumberFields } from "./number-fields.js";
import { faultNames, numberChange, numbersText } from "./number-texts.js";
import { noQuotaTexts, paceForm, quotaForm } from "./tenant-forms.js";

/** As the API's sentences name them. */
const fields = ["name", ...faultNames(quotaForm)];

/** The customers of the deployment, and what each may have. */
export function TenantsPage() {
  const tenants = usePages<TenantRow>("GET /admin/tenants");
  const [making, setMaking] = useState(false);
  return (
    <div class="page">
      <div class="page-head">
        <h1>Tenants</h1>
        <div class="actions">
          <Button kind="primary" icon="plus" onClick={() => setMaking(true)}>
            New tenant
          </Button>
        </div>
      </div>
      {tenants.rows.length > 0 && (
        <div class="table-box" tabIndex={0} role="region" aria-label="Tenants">
          <table>
            <thead>
              <tr>
                <th scope="col">Tenant</th>
                <th scope="col">Quotas</th>
                <th scope="col">Pace</th>
                <th scope="col">Created</th>
              </tr>
            </thead>
            <tbody>
              {tenants.rows.map((tenant) => (
                <tr key={tenant.name}>
                  <th scope="row">
                    <a href={to("/tenants/:name", { name: tenant.name })}>{tenant.name}</a>
                  </th>
                  <td class="wrap">{numbersText(quotaForm, tenant.quotas) || "no limits"}</td>
                  <td class="wrap">{numbersText(paceForm, tenant.pace) || "as the deployment"}</td>
                  <td>{instantText(tenant.created)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <PageFoot pages={tenants} nouns={["tenant", "tenants"]} />
      {making && <NewTenant onClose={() => setMaking(false)} />}
    </div>
  );
}

function NewTenant({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState("");
  const [texts, setTexts] = useState(noQuotaTexts);
  const action = useAction(async (signal) => {
    const made = await call<TenantRow>("POST /admin/tenants", {
      body: { name, quotas: numberChange(quotaForm.names, noQuotaTexts, texts) },
      signal,
    });
    go(to("/tenants/:name", { name: made.name }));
  });
  const faults = faultsByField(action.failure?.status === 400 ? action.failure.message : "", fields);
  return (
    <Dialog title="New tenant" onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          action.run();
        }}
      >
        <Field label="Name" value={name} onInput={setName} fault={faults.get("name")} hint="a-z, 0-9 and -, for ever" required focus />
        <NumberFields form={quotaForm} texts={texts} onChange={setTexts} faults={faults} />
        <DialogFoot label="Create" failure={action.failure} fields={fields} busy={action.busy} onClose={onClose} />
      </form>
    </Dialog>
  );
}
