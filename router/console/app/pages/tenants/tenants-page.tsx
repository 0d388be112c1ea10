import { useState } from "preact/hooks";
import { call } from "../../api/call.js";
import { faultsByField } from "../../api/failure.js";
import type { TenantRow } from "../../api/operator-rows.js";
import { usePages } from "../../api/use-pages.js";
import { to } from "../../route/match-route.js";
import { go } from "../../route/place.js";
import { dayText } from "../../ui/instant-text.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { DialogFoot } from "../../ui/dialog-foot.js";
import { Field } from "../../ui/field.js";
import { PageFoot } from "../../ui/page-foot.js";
import { Table } from "../../ui/table.js";
import { useAction } from "../../ui/use-action.js";
import { MessageUsage } from "./message-usage.js";
import { NumberFields } from "./number-fields.js";
import { faultNames, numberChange, numbersText } from "./number-texts.js";
import { SessionUsage } from "./session-usage.js";
import { noQuotaTexts, paceForm, quotaForm } from "./tenant-forms.js";
import { useSessionCounts } from "./use-session-counts.js";

/** Field names as in the API's error messages. */
const fields = ["name", ...faultNames(quotaForm)];

/** Lists the tenants with their sessions and quotas. */
export function TenantsPage() {
  const tenants = usePages<TenantRow>("GET /admin/tenants");
  const counts = useSessionCounts();
  const [making, setMaking] = useState(false);
  return (
    <div class="page">
      <div class="page-head">
        <h1>Tenants</h1>
        <div class="actions">
          <Button kind="primary" icon="plus" opensDialog onClick={() => setMaking(true)}>
            New tenant
          </Button>
        </div>
      </div>
      {tenants.rows.length > 0 && (
        <Table
          label="Tenants"
          rows={tenants.rows}
          keyOf={({ name }) => name}
          columns={[
            { title: "Tenant", kind: "name", cell: ({ name }) => <a href={to("/tenants/:name", { name })}>{name}</a> },
            { title: "Sessions", cell: ({ name, quotas }) => <SessionUsage tenant={name} quota={quotas.sessions} of={counts} /> },
            { title: "Messages today", cell: (tenant) => <MessageUsage of={tenant} /> },
            { title: "Quotas", cell: ({ quotas }) => numbersText(quotaForm, quotas) || "Unlimited" },
            { title: "Sending pace", cell: ({ pace }) => numbersText(paceForm, pace) || "Default" },
            { title: "Created", cell: ({ created }) => dayText(created) },
          ]}
        />
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
        <Field
          label="Name"
          value={name}
          onInput={setName}
          fault={faults.get("name")}
          hint="Lowercase letters, digits and hyphens. Can't be changed later."
          required
          focus
        />
        <NumberFields form={quotaForm} texts={texts} onChange={setTexts} faults={faults} />
        <DialogFoot label="Create tenant" failure={action.failure} fields={fields} busy={action.busy} onClose={onClose} />
      </form>
    </Dialog>
  );
}
