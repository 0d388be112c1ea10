import type { SessionRow } from "../../../api/rows.js";
import { Ago } from "../../../ui/ago.js";
import { CopyButton } from "../../../ui/copy-button.js";
import { lastingText } from "../../../ui/lasting-text.js";

/** Shows the session's fields from the list. */
export function Facts({ row }: { row: SessionRow }) {
  return (
    <section class="card" aria-labelledby="facts-title">
      <h2 id="facts-title">Session</h2>
      <dl class="facts">
        <dt>Session ID</dt>
        <dd class="with-copy">
          <code>{row.id}</code>
          <CopyButton text={row.id} what="session ID" />
        </dd>
        <dt>Tenant</dt>
        <dd>{row.tenant}</dd>
        {row.label !== "" && (
          <>
            <dt>Label</dt>
            <dd>{row.label}</dd>
          </>
        )}
        <dt>Status since</dt>
        <dd>
          <Ago since={row.since} />
        </dd>
        <dt>Shard</dt>
        <dd>
          {row.member === "" ? "Unassigned" : row.member} (slot {row.slot})
        </dd>
        {row.lastError !== "" && (
          <>
            <dt>Last error</dt>
            <dd>{row.lastError}</dd>
          </>
        )}
        {row.webhookLag > 0 && (
          <>
            <dt>Webhook delay</dt>
            <dd>{lastingText(row.webhookLag * 1_000)}</dd>
          </>
        )}
      </dl>
    </section>
  );
}
