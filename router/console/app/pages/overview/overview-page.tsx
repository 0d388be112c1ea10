import { useEffect, useState } from "preact/hooks";
import { call } from "../../api/call.js";
import { lines } from "../../api/line-stream.js";
import type { Keyring, MemberRow } from "../../api/operator-rows.js";
import type { Page, SessionRow, StateName } from "../../api/rows.js";
import { liveState, onLive } from "../../live/live-events.js";
import { useLiveReload } from "../../live/use-live-reload.js";
import { to } from "../../route/match-route.js";
import { may } from "../../sign-in/who.js";
import { StateBadge } from "../../ui/badge.js";
import { Icon } from "../../ui/icon.js";
import { useNow } from "../../ui/ago.js";
import { agoText } from "../../ui/lasting-text.js";
import { numberText } from "../../ui/number-text.js";
import { FailureNotice, Notice } from "../../ui/notice.js";
import { useLoaded, type Loaded } from "../../ui/use-loaded.js";
import { useRefresh } from "../../ui/use-refresh.js";
import { Loading, View } from "../../ui/view.js";
import { notKnown, type Part } from "./not-known.js";
import { notWell, type Finding } from "./not-well.js";
import { listedNow, silentProcesses, type LastListed } from "./silent-processes.js";
import { entered, tallyOf, type States } from "./tally.js";

/** Most sessions that the browser counts. Metrics count more. */
const countedMax = 50_000;

/** Overview of the deployment: problems, processes, and accounts per state. */
export function OverviewPage() {
  const members = useLoaded(
    async (signal) => (await call<Page<MemberRow>>("GET /admin/members", { query: { limit: 1_000 }, signal })).docs,
    [],
  );
  const keyring = useLoaded(async (signal) => (may("administer") ? await call<Keyring>("GET /admin/keyring", { signal }) : undefined), []);
  const sessions = useStates();
  useRefresh(members);
  useLiveReload(members.reload, ({ type }) => type === "member" || type === "load");
  useLiveReload(keyring.reload, ({ type }) => type === "rotation");
  const now = useNow(1_000);
  const listed = useListed(members);
  // Events update these parts, so they are current while the stream is live.
  const current = <T extends Pick<Part, "at" | "failure">>(part: T, name: string): Part => ({
    name,
    failure: part.failure,
    at: part.at !== undefined && liveState.value === "live" ? now : part.at,
  });
  const parts = [
    { name: "Cluster", at: members.at, failure: members.failure },
    current(sessions, "Sessions by state"),
    ...(may("administer") ? [current(keyring, "Encryption keys")] : []),
  ];
  const tally = sessions.states === undefined ? undefined : tallyOf(sessions.states);
  return (
    <div class="page">
      <div class="page-head">
        <h1>Overview</h1>
        {members.at !== undefined && <p class="soft">Updated {agoText(now - members.at)}</p>}
      </div>
      <Findings
        findings={[...notWell(members.value, tally, keyring.value), ...silentProcesses(listed, members.value ?? [])]}
        unknown={notKnown(parts, now)}
        isRead={parts.every(({ at }) => at !== undefined)}
      />
      <View of={members}>
        {(rows) => (
          <ul class="tiles" aria-label="Cluster">
            <Tile
              count={rows.filter(({ role, state }) => role === "router" && state === "active").length}
              texts={["router", "routers"]}
              address={to("/members")}
            />
            <Tile
              count={rows.filter(({ role, state }) => role === "shard" && state === "active").length}
              texts={["active shard", "active shards"]}
              address={to("/members")}
            />
            <Tile
              count={rows.reduce((sum, { sessions: hosted }) => sum + (hosted ?? 0), 0)}
              texts={["session", "sessions"]}
              address={to("/sessions")}
            />
          </ul>
        )}
      </View>
      <section class="card" aria-labelledby="states-title">
        <h2 id="states-title">Sessions by state</h2>
        {sessions.failure !== undefined && <FailureNotice failure={sessions.failure} doing="count sessions" onRetry={sessions.reload} />}
        {tally === undefined ? (
          sessions.failure === undefined && <Loading text="Counting…" />
        ) : (
          <ul class="states">
            {(["connected", "awaiting-qr", "awaiting-password", "disconnected"] as const).map((state) => (
              <li key={state}>
                <a href={to("/sessions", {}, { state })}>
                  <StateBadge state={state} />
                  <strong>{numberText(tally[state])}</strong>
                </a>
              </li>
            ))}
          </ul>
        )}
        {sessions.cut && <p class="soft">Only the first {numberText(countedMax)} sessions are counted.</p>}
      </section>
    </div>
  );
}

interface FindingsProps {
  readonly findings: readonly Finding[];
  readonly unknown: readonly string[];
  /** Every part was read at least once. */
  readonly isRead: boolean;
}

function Findings({ findings, unknown, isRead }: FindingsProps) {
  if (unknown.length > 0)
    return (
      <Notice kind="warn" title="Current status unknown">
        <p>The gateway or Redis isn't responding. This page shows the last known data and retries automatically.</p>
        <p class="sentences">{unknown.join("\n")}</p>
      </Notice>
    );
  if (findings.length === 0)
    return isRead ? (
      <p class="all-well">
        <Icon name="check" /> All systems operational
      </p>
    ) : null;
  return (
    <section class="card" aria-labelledby="findings-title">
      <h2 id="findings-title">Needs attention</h2>
      <ul class="findings">
        {findings.map(({ tone, text, address }) => (
          <li key={text} class={tone}>
            <Icon name="warn" />
            <a href={address}>{text}</a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Tile({ count, texts: [one, many], address }: { count: number; texts: readonly [one: string, many: string]; address: string }) {
  return (
    <li>
      <a href={address}>
        <strong>{numberText(count)}</strong> {count === 1 ? one : many}
      </a>
    </li>
  );
}

/** When each router and supervisor was last in the list of members. */
function useListed({ value, at }: Loaded<readonly MemberRow[]>): LastListed {
  const [listed, setListed] = useState<LastListed>(new Map());
  useEffect(() => {
    if (value !== undefined && at !== undefined) setListed((before) => listedNow(before, value, at));
  }, [value, at]);
  return listed;
}

/** States of all sessions: read once, then updated by events. */
function useStates() {
  const loaded = useLoaded(async (signal) => {
    const states = new Map<string, StateName>();
    for await (const { id, state } of lines<SessionRow>("GET /admin/sessions", { signal })) {
      if (states.size === countedMax) return { states, cut: true };
      states.set(id, state);
    }
    return { states, cut: false };
  }, []);
  const [states, setStates] = useState<States | undefined>(undefined);
  useEffect(() => setStates(loaded.value?.states), [loaded.value]);
  useLiveReload(loaded.reload, () => false);
  useEffect(
    () =>
      onLive((event) => {
        if (event.type === "session") setStates((now) => (now === undefined ? now : entered(now, event.session, event.state)));
      }),
    [],
  );
  return { ...loaded, states, cut: loaded.value?.cut === true };
}
