import { useState } from "preact/hooks";
import { to } from "../../route/match-route.js";
import { go } from "../../route/place.js";
import { Button } from "../../ui/button.js";
import { Field } from "../../ui/field.js";
import type { PageProps } from "../page-props.js";
import { KeysOf } from "./keys-of.js";

/** All API keys that were made at run time. */
export function KeysPage({ query: { tenant = "" } }: PageProps) {
  const [asked, setAsked] = useState(tenant);
  return (
    <div class="page">
      <h1>API keys</h1>
      <p class="soft">Keys set in API_KEYS are not shown here.</p>
      <form
        class="toolbar"
        onSubmit={(event) => {
          event.preventDefault();
          go(to("/keys", {}, { tenant: asked.trim() }));
        }}
      >
        <Field label="Tenant" value={asked} onInput={setAsked} placeholder="All" />
        <Button type="submit" icon="search">
          Filter
        </Button>
      </form>
      <KeysOf tenant={tenant} />
    </div>
  );
}
