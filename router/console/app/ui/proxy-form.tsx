import { useState } from "preact/hooks";
import { faultsByField } from "../api/failure.js";
import { Button } from "./button.js";
import { Confirm } from "./confirm.js";
import { Field } from "./field.js";
import { FormFailure } from "./form-failure.js";
import { Notice } from "./notice.js";
import { useAction } from "./use-action.js";

export interface ProxyFormProps {
  /** What its connections go through now. */
  readonly shown: string;
  /** It has a proxy that can be taken away. */
  readonly removable: boolean;
  /** What follows from a change. */
  readonly consequence: string;
  /** `undefined` takes it away. */
  readonly put: (proxy: string | undefined, signal: AbortSignal) => Promise<unknown>;
  readonly onDone: () => void;
}

const fields = ["proxy"];

/** The proxy of a session or of a tenant: it is shown without its login, and never read back. */
export function ProxyForm({ shown, removable, consequence, put, onDone }: ProxyFormProps) {
  const [proxy, setProxy] = useState("");
  const action = useAction(async (signal) => {
    await put(proxy, signal);
    setProxy("");
    onDone();
    return true;
  });
  const faults = faultsByField(action.failure?.status === 400 ? action.failure.message : "", fields);
  return (
    <form
      class="card"
      aria-labelledby="proxy-title"
      onSubmit={(event) => {
        event.preventDefault();
        action.run();
      }}
    >
      <h2 id="proxy-title">Proxy</h2>
      <p class="soft">{shown}</p>
      <Field
        label="Proxy URL"
        type="password"
        autocomplete="new-password"
        value={proxy}
        onInput={setProxy}
        fault={faults.get("proxy")}
        hint={`socks5://user:password@host:port or http://… ${consequence}`}
      />
      <FormFailure failure={action.failure} fields={fields} doing="save proxy" />
      {action.done === true && <Notice kind="good">Proxy saved.</Notice>}
      <div class="actions">
        <Button type="submit" busy={action.busy} disabled={proxy === ""}>
          Save proxy
        </Button>
        {removable && (
          <Confirm label="Remove proxy" title="Remove proxy?" act={(signal) => put(undefined, signal)} onDone={onDone}>
            <p>{consequence}</p>
          </Confirm>
        )}
      </div>
    </form>
  );
}
