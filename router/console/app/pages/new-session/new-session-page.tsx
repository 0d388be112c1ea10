import { useState } from "preact/hooks";
import { call } from "../../api/call.js";
import { faultsByField } from "../../api/failure.js";
import type { Platform } from "../../api/rows.js";
import { settings } from "../../api/settings.js";
import { to } from "../../route/match-route.js";
import { go } from "../../route/place.js";
import { may } from "../../sign-in/who.js";
import { Button } from "../../ui/button.js";
import { Choice, Field } from "../../ui/field.js";
import { FailureNotice } from "../../ui/notice.js";
import { useAction } from "../../ui/use-action.js";
import { keepSecret, SecretNotice, type Credentials } from "./new-secret.js";
import { notJson, readMetadata } from "./read-metadata.js";

const platforms = [
  { value: "telegram", label: "Telegram" },
  { value: "whatsapp", label: "WhatsApp" },
] as const;

/** POST /session. Then opens the session's page, or shows its id and secret to a role that cannot read sessions. */
export function NewSessionPage() {
  const [platform, setPlatform] = useState<Platform>("telegram");
  const [label, setLabel] = useState("");
  const [phone, setPhone] = useState("");
  const [metadata, setMetadata] = useState("");
  const action = useAction(async (signal) => {
    const body = {
      label,
      ...(platform === "whatsapp" ? { phone } : {}),
      ...(metadata.trim() === "" ? {} : { metadata: readMetadata(metadata) }),
    };
    const made = await call<Credentials>(`POST /${settings().prefixes[platform].slice(1)}/session`, { body, signal });
    if (may("read-session")) {
      keepSecret(made);
      go(to("/sessions/:id", { id: made.id }));
    }
    return made;
  });
  const choose = (chosen: Platform): void => {
    setPlatform(chosen);
    setPhone("");
    action.clear();
  };
  const message = action.failure?.message ?? "";
  const faults = message === notJson ? new Map([["metadata", notJson]]) : faultsByField(message, ["label", "phone", "metadata"]);
  const rest = faults.get("");
  return (
    <div class="page">
      <div class="page-head">
        <h1>New session</h1>
      </div>
      <form
        class="card narrow"
        onSubmit={(event) => {
          event.preventDefault();
          action.run();
        }}
      >
        <Choice label="Platform" value={platform} options={platforms} onChange={choose} />
        <Field
          label="Label (optional)"
          value={label}
          onInput={setLabel}
          fault={faults.get("label")}
          hint="A name to recognise this session by. You can search for it."
        />
        {platform === "whatsapp" && (
          <Field
            label="Phone number (optional)"
            type="tel"
            value={phone}
            onInput={setPhone}
            fault={faults.get("phone")}
            hint="Enter a number in international format to get a pairing code. Leave empty for a QR code."
          />
        )}
        <Field
          label="Metadata (optional)"
          value={metadata}
          onInput={setMetadata}
          lines={3}
          fault={faults.get("metadata")}
          placeholder='{"customer": 42}'
          hint="Any JSON object, stored with the session and returned by the API."
        />
        {action.failure !== undefined && rest !== undefined && (
          <FailureNotice failure={action.failure} doing="create session" text={rest} />
        )}
        {action.done !== undefined && <SecretNotice {...action.done} />}
        <div class="actions">
          <Button type="submit" kind="primary" busy={action.busy}>
            Create session
          </Button>
        </div>
      </form>
    </div>
  );
}
