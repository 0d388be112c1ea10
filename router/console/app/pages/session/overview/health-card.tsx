import type { AccountHealth, SessionRow } from "../../../api/rows.js";
import { countText } from "../../../ui/count-text.js";
import { instantText } from "../../../ui/instant-text.js";
import { Notice } from "../../../ui/notice.js";
import { Table, type Column } from "../../../ui/table.js";
import { kindNames } from "../refusal-kinds.js";

type Refusal = AccountHealth["refusals"][number];

/** Shows whether the platform restricts the account, and what it has rejected. Nothing is shown while there is nothing to say. */
export function HealthCard({ row }: { row: SessionRow }) {
  const { health, restrictedUntil } = row;
  if (health === undefined || (restrictedUntil === "" && health.refusals.length === 0)) return null;
  return (
    <section class="card" aria-labelledby="health-title">
      <h2 id="health-title">Account health</h2>
      {restrictedUntil !== "" && (
        <Notice kind="warn" title={`Restricted until ${instantText(restrictedUntil)}`}>
          <p>{health.reason}. Messages to people who have not written to this account are blocked. Replies and groups still work.</p>
        </Notice>
      )}
      {health.refusals.length > 0 && (
        <>
          <p class="soft">
            {health.counts.map(({ kind, count }) => `${kindNames[kind]}: ${countText(count, ["request", "requests"])}`).join(" · ")}
          </p>
          <Table label="Rejected by the platform" columns={columns} rows={health.refusals} keyOf={({ at }, index) => `${at} ${index}`} />
        </>
      )}
    </section>
  );
}

const columns: readonly Column<Refusal>[] = [
  { title: "Time", cell: ({ at }) => instantText(at) },
  { title: "Kind", cell: ({ kind }) => kindNames[kind] },
  { title: "Reason", cell: ({ message }) => message },
];
