import { useState } from "preact/hooks";
import { to } from "../../route/match-route.js";
import { go } from "../../route/place.js";
import { may } from "../../sign-in/who.js";
import { Button } from "../../ui/button.js";
import { Field, Select } from "../../ui/field.js";
import { instantOf, localTimeOf } from "../../ui/local-time.js";
import { actionOptions } from "./audit-actions.js";
import type { AuditQuery } from "./use-audit.js";

/** The filters are in the address, so that a result can be shared. */
export function AuditFilters(given: AuditQuery) {
  const shownSince = localTimeOf(given.since);
  const [since, setSince] = useState(shownSince);
  const [tenant, setTenant] = useState(given.tenant);
  const [session, setSession] = useState(given.session);
  // The field shows minutes only, so an unchanged value keeps its exact instant.
  const instant = (): string => (since === shownSince ? given.since : instantOf(since));
  const show = (other: Partial<AuditQuery> = {}): void =>
    go(to("/audit", {}, { ...given, since: instant(), tenant: tenant.trim(), session: session.trim(), ...other }));
  return (
    <form
      class="toolbar"
      onSubmit={(event) => {
        event.preventDefault();
        show();
      }}
    >
      <Select label="Action" value={given.action} options={actionOptions} onChange={(action) => show({ action })} />
      <Field label="Since" type="datetime-local" value={since} onInput={setSince} />
      {may("administer") && <Field label="Tenant" value={tenant} onInput={setTenant} placeholder="All" />}
      <Field label="Session" value={session} onInput={setSession} placeholder="Session ID" />
      <Button type="submit" icon="search">
        Filter
      </Button>
      <Button onClick={() => show({ since: new Date(Date.now() - 3_600_000).toISOString() })}>Last hour</Button>
      {given.action === "" && (
        <label class="check">
          <input
            type="checkbox"
            role="switch"
            checked={given.reads === "0"}
            onChange={(event) => show({ reads: event.currentTarget.checked ? "0" : "" })}
          />
          Hide reads
        </label>
      )}
    </form>
  );
}
