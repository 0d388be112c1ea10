import { useState } from "preact/hooks";
import { lines } from "../../api/line-stream.js";
import type { MemberRow } from "../../api/operator-rows.js";
import { call } from "../../api/call.js";
import type { Page, SessionRow } from "../../api/rows.js";
import { to } from "../../route/match-route.js";
import { may } from "../../sign-in/who.js";
import { Badge, PlatformBadge, StateBadge } from "../../ui/badge.js";
import { Confirm } from "../../ui/confirm.js";
import { countText } from "../../ui/count-text.js";
import { Choice, Field, Select } from "../../ui/field.js";
import { LongList } from "../../ui/long-list.js";
import { Notice } from "../../ui/notice.js";
import { numberText } from "../../ui/number-text.js";
import { ProgressBar } from "../../ui/progress-bar.js";
import { useLoaded } from "../../ui/use-loaded.js";
import { View } from "../../ui/view.js";
import type { PageProps } from "../page-props.js";
import { titleOf } from "../sessions/session-list.js";
import { bulkCounts, lineText, withLine, type BulkResult, type BulkRun } from "./bulk-run.js";

/** Most sessions in one call. */
const idsMax = 1_000;
const rowHeight = 52;

const actions = [
  { value: "restart", label: "Restart" },
  { value: "move", label: "Move" },
  { value: "delete", label: "Delete" },
] as const;
type Action = (typeof actions)[number]["value"];

/** Runs one action on many sessions and shows each result. The filter is in the address, as on the sessions page. */
export function BulkPage({ query }: PageProps) {
  const { q = "", state = "", platform = "", label = "", tenant = "", member = "" } = query;
  const found = useLoaded(
    (signal) => firstOf(lines<SessionRow>("GET /admin/sessions", { query: { q, state, platform, label, tenant, member }, signal }), idsMax),
    [query],
  );
  return (
    <div class="page full">
      <div class="page-head">
        <h1>Bulk actions</h1>
        <div class="actions">
          <a class="button" href={to("/sessions", {}, { q, state, platform, label, tenant, member })}>
            Back to sessions
          </a>
        </div>
      </div>
      <View of={found}>{({ rows, more }) => <Chosen key={JSON.stringify(query)} rows={rows} more={more} />}</View>
    </div>
  );
}

function Chosen({ rows, more }: { rows: readonly SessionRow[]; more: boolean }) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [action, setAction] = useState<Action>("restart");
  const [target, setTarget] = useState("");
  const [run, setRun] = useState<BulkRun | undefined>(undefined);
  const ids = rows.filter(({ id }) => chosen.has(id)).map(({ id }) => id);
  const toggle = (id: string): void => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    setChosen(next);
  };
  const act = async (signal: AbortSignal): Promise<void> => {
    let now: BulkRun = { total: ids.length, lines: new Map() };
    setRun(now);
    const body = { action, ids, ...(action === "move" ? { member: target } : {}) };
    for await (const line of lines<BulkResult>("POST /admin/sessions/bulk", { body, signal })) setRun((now = withLine(now, line)));
  };
  const all = ids.length === rows.length && rows.length > 0;
  return (
    <>
      {more && <Notice kind="info">Showing the first {numberText(idsMax)} sessions. Filter the list to see others.</Notice>}
      <div class="toolbar">
        <Choice label="Action" value={action} onChange={setAction} options={actions} />
        {action === "move" && <Target value={target} onChange={setTarget} />}
        <Confirm
          label={labelOf(action, ids.length)}
          kind={action === "delete" ? "danger" : "primary"}
          title={`${labelOf(action, ids.length)}${action === "move" ? ` to ${target}` : ""}?`}
          disabled={ids.length === 0 || (action === "move" && target === "")}
          typed={action === "delete" ? `delete ${ids.length}` : undefined}
          act={(signal) => act(signal)}
        >
          <p>{consequence(action, target)}</p>
          {run !== undefined && run.total === ids.length && <Progress run={run} />}
        </Confirm>
      </div>
      {run !== undefined && <Progress run={run} />}
      <label class="check-line">
        <input type="checkbox" checked={all} onChange={() => setChosen(all ? new Set() : new Set(rows.map(({ id }) => id)))} />
        Select all ({numberText(rows.length)})
      </label>
      <LongList label="Sessions to select" rows={rows} keyOf={({ id }) => id} rowHeight={rowHeight}>
        {(row) => (
          <label class="row bulk-row">
            <input type="checkbox" checked={chosen.has(row.id)} onChange={() => toggle(row.id)} />
            <span class="main">
              <span class="name">{titleOf(row)}</span>
              <span class="more mono">{row.id}</span>
            </span>
            <PlatformBadge platform={row.platform} />
            <StateBadge state={row.state} />
            <Outcome line={run?.lines.get(row.id)} member={row.member} />
          </label>
        )}
      </LongList>
    </>
  );
}

function Target({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const members = useLoaded(
    async (signal) =>
      may("read-members") ? (await call<Page<MemberRow>>("GET /admin/members", { query: { limit: 1_000 }, signal })).docs : [],
    [],
  );
  if (!may("read-members")) return <Field label="Destination shard" value={value} onInput={onChange} />;
  const shards = members.value?.filter(({ role, state }) => role === "shard" && state === "active") ?? [];
  return (
    <Select
      label="Destination shard"
      value={value}
      onChange={onChange}
      options={[{ value: "", label: "Select a shard" }, ...shards.map(({ name }) => ({ value: name, label: name }))]}
    />
  );
}

function Progress({ run }: { run: BulkRun }) {
  const { done, failed } = bulkCounts(run);
  return (
    <div class="stack">
      <ProgressBar label="Sessions" text="" done={run.lines.size} total={run.total} />
      {failed > 0 && (
        <Notice kind="warn">
          {numberText(done)} succeeded, {numberText(failed)} failed. The list shows the reason for each.
        </Notice>
      )}
    </div>
  );
}

function Outcome({ line, member }: { line: BulkResult | undefined; member: string }) {
  if (line === undefined) return <span class="end">{member}</span>;
  return (
    <span class="end">
      <Badge tone={line.status < 400 ? "good" : "bad"}>{lineText(line)}</Badge>
    </span>
  );
}

function labelOf(action: Action, count: number): string {
  const verb = actions.find(({ value }) => value === action)?.label ?? "";
  return `${verb} ${count === 0 ? "sessions" : countText(count, ["session", "sessions"])}`;
}

function consequence(action: Action, target: string): string {
  switch (action) {
    case "restart":
      return "Each session disconnects and reconnects with its existing login.";
    case "move":
      return `These sessions move to ${target} and stay there. Sessions that share a slot with them move too. All of them reconnect; nobody has to scan a code again.`;
    case "delete":
      return "Each account is logged out and all its stored data is deleted. This can't be undone.";
  }
}

async function firstOf<T>(stream: AsyncIterable<T>, most: number): Promise<{ rows: readonly T[]; more: boolean }> {
  const rows: T[] = [];
  for await (const row of stream) {
    if (rows.length === most) return { rows, more: true };
    rows.push(row);
  }
  return { rows, more: false };
}
