import { useState } from "preact/hooks";
import { call } from "../../api/call.js";
import { faultsByField } from "../../api/failure.js";
import type { KeyRow } from "../../api/operator-rows.js";
import { keyRoles, roleNames, type KeyRole } from "../../api/rows.js";
import { Button } from "../../ui/button.js";
import { CopyButton } from "../../ui/copy-button.js";
import { Dialog } from "../../ui/dialog.js";
import { DialogFoot } from "../../ui/dialog-foot.js";
import { Choice, Field } from "../../ui/field.js";
import { instantOf } from "../../ui/local-time.js";
import { Notice } from "../../ui/notice.js";
import { useAction } from "../../ui/use-action.js";

/** Field names as in the API's error messages. */
const fields = ["tenant", "label", "expires", "proxy"];

const roleHints: Readonly<Record<KeyRole, string>> = {
  admin: "Full access to all tenants.",
  tenant: "Full access to one tenant's sessions.",
  create: "Can only create sessions.",
  read: "Read-only: sessions, audit log and cluster.",
};

/** Creates a key and shows it once. */
export function NewKey({ tenant: given, onClose, onMade }: { tenant: string; onClose: () => void; onMade: () => void }) {
  const [role, setRole] = useState<KeyRole>("tenant");
  const [tenant, setTenant] = useState(given);
  const [label, setLabel] = useState("");
  const [expires, setExpires] = useState("");
  const [proxy, setProxy] = useState("");
  const action = useAction(async (signal) => {
    const body = {
      role,
      ...(role === "admin" ? {} : { tenant: tenant.trim() }),
      ...(label === "" ? {} : { label }),
      ...(expires === "" ? {} : { expires: instantOf(expires) }),
      ...(proxy === "" || role === "read" ? {} : { proxy }),
    };
    const made = await call<KeyRow & { readonly key: string }>("POST /admin/keys", { body, signal });
    onMade();
    return made;
  });
  const chooseRole = (chosen: KeyRole): void => {
    setRole(chosen);
    if (chosen === "admin") setTenant("");
    if (chosen === "read") setProxy("");
    action.clear();
  };
  if (action.done !== undefined)
    return (
      <Dialog title="API key created" onClose={onClose}>
        <Notice kind="warn" title="Copy it now.">
          You won't be able to see this key again. If you lose it, create a new one.
        </Notice>
        <p class="secret">
          <code>{action.done.key}</code>
          <CopyButton text={action.done.key} what="key" />
        </p>
        <div class="actions">
          <Button kind="primary" onClick={() => onClose()}>
            Done
          </Button>
        </div>
      </Dialog>
    );
  const faults = faultsByField(action.failure?.status === 400 ? action.failure.message : "", fields);
  return (
    <Dialog title="New API key" onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          action.run();
        }}
      >
        <Choice
          label="Role"
          value={role}
          onChange={chooseRole}
          options={keyRoles.map((name) => ({ value: name, label: roleNames[name] }))}
        />
        <p class="hint">{roleHints[role]}</p>
        {role !== "admin" && <Field label="Tenant" value={tenant} onInput={setTenant} fault={faults.get("tenant")} required />}
        <Field
          label="Label (optional)"
          value={label}
          onInput={setLabel}
          fault={faults.get("label")}
          placeholder="e.g. Production server"
          focus
        />
        <Field
          label="Expires (optional)"
          type="datetime-local"
          value={expires}
          onInput={setExpires}
          fault={faults.get("expires")}
          hint="Leave empty for a key that never expires."
        />
        {role !== "read" && (
          <Field
            label="Proxy URL (optional)"
            value={proxy}
            onInput={setProxy}
            fault={faults.get("proxy")}
            placeholder="socks5://user:password@host:port"
            hint="Proxy for sessions created with this key. Default: the tenant's proxy."
          />
        )}
        <DialogFoot label="Create key" failure={action.failure} fields={fields} busy={action.busy} onClose={onClose} />
      </form>
    </Dialog>
  );
}
