import { call } from "../../api/call.js";
import type { SessionRow } from "../../api/rows.js";
import { to } from "../../route/match-route.js";
import { may } from "../../sign-in/who.js";
import { Avatar } from "../../ui/avatar.js";
import { PlatformBadge, RestrictedBadge, StateBadge } from "../../ui/badge.js";
import { Button } from "../../ui/button.js";
import { Icon } from "../../ui/icon.js";
import { FailureNotice } from "../../ui/notice.js";
import { ScriptView } from "../../ui/script-view.js";
import { useAction } from "../../ui/use-action.js";
import { useScript } from "../../ui/use-script.js";
import { Loading } from "../../ui/view.js";
import type { PageProps } from "../page-props.js";
import { NewSecret } from "../new-session/new-secret.js";
import { nameOf, titleOf } from "../sessions/session-list.js";
import type { TabProps } from "./tab-props.js";
import { shownTabs } from "./shown-tabs.js";
import { tabs, type TabRow } from "./tabs.js";
import { useSession, type ShownSession } from "./use-session.js";

/** One session: its login, what can be sent with it, and its chats. */
export function SessionPage({ params, query }: PageProps) {
  const { id = "", tab = "", chat } = params;
  const loaded = useSession(id);
  const { value, failure } = loaded;
  if (failure?.status === 404) return <Gone id={id} onBack={loaded.reload} />;
  if (value === undefined)
    return (
      <div class="page">
        <h1>Session</h1>
        {failure === undefined ? <Loading /> : <FailureNotice failure={failure} doing="load session" onRetry={loaded.reload} />}
      </div>
    );
  const { row, record, states } = value;
  const shown = shownTabs(tabs, row, may);
  const current = shown.find(({ name }) => name === tab) ?? shown[0];
  const session = { platform: row.platform, id };
  return (
    <div class={`page ${tab === "chats" || tab === "groups" || (tab === "channels" && chat === undefined) ? "full" : ""}`}>
      <Head {...value} />
      <NewSecret id={id} />
      {failure !== undefined && <FailureNotice failure={failure} doing="load session" onRetry={loaded.reload} />}
      <TabBar id={id} shown={shown} current={current} />
      {current !== undefined && <Tab of={current} {...{ session, row, record, states, reload: loaded.reload, chat, query }} />}
    </div>
  );
}

function TabBar({ id, shown, current }: { id: string; shown: readonly TabRow[]; current: TabRow | undefined }) {
  return (
    <nav class="tabs" aria-label="Session sections">
      {shown.map(({ name, label }) => (
        <a
          key={name}
          href={name === "" ? to("/sessions/:id", { id }) : to("/sessions/:id/:tab", { id, tab: name })}
          aria-current={name === current?.name ? "page" : undefined}
        >
          {label}
        </a>
      ))}
    </nav>
  );
}

function Tab({ of, ...props }: TabProps & { of: TabRow }) {
  const { Component, failed, retry } = useScript(of.load);
  return Component === undefined ? <ScriptView failed={failed} retry={retry} /> : <Component {...props} />;
}

function Head({ row, record }: ShownSession) {
  return (
    <header class="session-head">
      <a class="button quiet icon-only" href={to("/sessions")} aria-label="All sessions">
        <Icon name="back" />
      </a>
      <Avatar name={nameOf(row)} picture={record?.picture ?? ""} />
      <div class="titles">
        <h1 dir="auto">{titleOf(row)}</h1>
        <div class="marks">
          <PlatformBadge platform={row.platform} />
          <StateBadge state={row.state} hasPairingCode={(record?.pairingCode ?? "") !== ""} />
          <RestrictedBadge until={row.restrictedUntil} />
          {row.label !== "" && row.label !== titleOf(row) && <span class="soft">{row.label}</span>}
        </div>
      </div>
    </header>
  );
}

/** Shown for a missing session. A session that a timer deleted can be restored for a day. */
function Gone({ id, onBack }: { id: string; onBack: () => void }) {
  const action = useAction(async (signal) => {
    await call<Pick<SessionRow, "id">>(`POST /admin/sessions/${encodeURIComponent(id)}/undelete`, { signal });
    onBack();
  });
  return (
    <div class="page">
      <h1>Session not found</h1>
      <p class="soft">
        <code>{id}</code> was deleted or never existed. Sessions that expired (for example, a QR code nobody scanned within 3 minutes) can
        be restored for 24 hours.
      </p>
      {action.failure !== undefined && <FailureNotice failure={action.failure} doing="restore session" />}
      <div class="actions">
        <a class="button" href={to("/sessions")}>
          All sessions
        </a>
        {may("operate-session") && (
          <Button kind="primary" busy={action.busy} onClick={() => action.run()}>
            Restore session
          </Button>
        )}
      </div>
    </div>
  );
}
