import { useEffect, useState } from "preact/hooks";
import { to } from "../../route/match-route.js";
import { go } from "../../route/place.js";
import { may } from "../../sign-in/who.js";
import { Button } from "../../ui/button.js";
import { countText } from "../../ui/count-text.js";
import { Field, Select } from "../../ui/field.js";
import { LongList } from "../../ui/long-list.js";
import { FailureNotice } from "../../ui/notice.js";
import { numberText } from "../../ui/number-text.js";
import { Empty } from "../../ui/view.js";
import type { PageProps } from "../page-props.js";
import { SessionLine } from "./session-line.js";
import { useSessionList } from "./use-session-list.js";

const states = [
  { value: "", label: "All states" },
  { value: "connected", label: "Connected" },
  { value: "awaiting-qr", label: "Awaiting scan" },
  { value: "awaiting-password", label: "Password required" },
  { value: "disconnected", label: "Disconnected" },
] as const;
const platforms = [
  { value: "", label: "All platforms" },
  { value: "telegram", label: "Telegram" },
  { value: "whatsapp", label: "WhatsApp" },
] as const;
/** The search waits this long after the last key press. */
const typingMs = 350;
const rowHeight = 64;

/** All sessions that the key may see, live. The filter is in the address, so that it can be saved and shared. */
export function SessionsPage({ query }: PageProps) {
  const { q = "", state = "", platform = "", label = "", tenant = "", member = "" } = query;
  const filter = { q, state, platform, label, tenant, member };
  const list = useSessionList(filter);
  const search = (changed: Partial<typeof filter>): void => go(to("/sessions", {}, { ...filter, ...changed }), true);
  const narrowed = Object.values(filter).some((value) => value !== "");
  return (
    <div class="page full">
      <div class="page-head">
        <h1>Sessions</h1>
        <div class="actions">
          {may("operate-session") && (
            <a class="button" href={to("/sessions/bulk", {}, filter)}>
              Bulk actions
            </a>
          )}
          {may("create-session") && (
            <a class="button primary" href={to("/sessions/new")}>
              New session
            </a>
          )}
        </div>
      </div>
      <form class="toolbar" role="search" onSubmit={(event) => event.preventDefault()}>
        <Search value={q} onSearch={(value) => search({ q: value })} />
        <Select label="State" value={state} options={states} onChange={(value) => search({ state: value })} />
        <Select label="Platform" value={platform} options={platforms} onChange={(value) => search({ platform: value })} />
        {narrowed && (
          <Button kind="quiet" icon="close" onClick={() => go(to("/sessions"), true)}>
            Clear filters
          </Button>
        )}
      </form>
      {list.failure !== undefined && <FailureNotice failure={list.failure} doing="load sessions" onRetry={list.reload} />}
      {list.outside > 0 && (
        <p class="outside">
          <Button icon="refresh" onClick={() => list.reload()}>
            {countText(list.outside, ["update", "updates"])} · Refresh
          </Button>
        </p>
      )}
      {list.rows.length === 0 && list.next === "" ? (
        <Nothing narrowed={narrowed} />
      ) : (
        list.failure === undefined && (
          <LongList
            label="Sessions"
            rows={list.rows}
            keyOf={(row) => row.id}
            rowHeight={rowHeight}
            onEnd={list.more}
            foot={<p class="list-foot">{footOf(list)}</p>}
          >
            {(row) => <SessionLine row={row} />}
          </LongList>
        )
      )}
    </div>
  );
}

function footOf({ rows, next, loading }: { rows: readonly unknown[]; next: string | undefined; loading: boolean }): string {
  if (loading) return rows.length === 0 ? "Loading sessions…" : "Loading more…";
  return next === "" ? countText(rows.length, ["session", "sessions"]) : `${numberText(rows.length)} loaded`;
}

function Search({ value, onSearch }: { value: string; onSearch: (value: string) => void }) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text === value) return undefined;
    const timer = setTimeout(() => onSearch(text), typingMs);
    return () => clearTimeout(timer);
  }, [text, value]);
  return (
    <div class="wide">
      <Field label="Search" type="search" value={text} onInput={setText} placeholder="Search by ID, phone, name or label" />
    </div>
  );
}

function Nothing({ narrowed }: { narrowed: boolean }) {
  if (narrowed)
    return (
      <Empty title="No matching sessions">
        <p>Try a different search or clear the filters.</p>
        <Button onClick={() => go(to("/sessions"), true)}>Clear filters</Button>
      </Empty>
    );
  return (
    <Empty title="No sessions yet">
      <p>A session is one linked WhatsApp or Telegram account. Create one and scan the QR code with your phone. It takes about a minute.</p>
      {may("create-session") && (
        <a class="button primary" href={to("/sessions/new")}>
          Create your first session
        </a>
      )}
    </Empty>
  );
}
