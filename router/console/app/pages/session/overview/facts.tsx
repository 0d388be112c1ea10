import type { SessionRow } from "../../../api/rows.js";
import { Ago } from "../../../ui/ago.js";
import { CopyButton } from "../../../ui/copy-button.js";

/** What lists know of a session. */
export function Facts({ row }: { row: SessionRow }) {
  return (
    <section class="card" aria-labelledby="facts-title">
      <h2 id="facts-title">Session</h2>
      <dl class="facts">
        <dt>Id</dt>
        <dd class="with-copy">
          <code>{row.id}</code>
          <CopyButton text={row.id} what="id" />
        </dd>
        <dt>Tenant</dt>
        <dd>{row.tenant}</dd>
        {row.label !== "" && (
          <>
            <dt>Label</dt>
            <dd>{row.label}</dd>
          </>
        )}
        <dt>In this state</dt>
        <dd>
          <Ago since={row.since} />
        </dd>
        <dt>Held by</dt>
        <dd>
          {row.member === "" ? "nobody now" : row.member}, slot {row.slot}
        </dd>
        {row.lastError !== "" && (
          <>
            <dt>Last trouble</dt>
            <dd>{row.lastError}</dd>
          </>
        )}
        {row.webhookLag > 0 && (
          <>
            <dt>Webhook behind</dt>
            <dd>{row.webhookLag} s</dd>
          </>
        )}
      </dl>
    </section>
  );
}
