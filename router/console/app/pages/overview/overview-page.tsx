import { useEffect, useState } from "preact/hooks";
import { call } from "../../api/call.js";
import { lines } from "../../api/line-stream.js";
import type { Keyring, MemberRow } from "../../api/operator-rows.js";
import type { Page, SessionRow, StateName } from "../../api/rows.js";
import { onLive } from "../../live/live-events.js";
import { useLiveReload } from "../../live/use-live-reload.js";
import { to } from "../../route/match-route.js";
import { may } from "../../sign-in/who.js";
import { StateBadge } from "../../ui/badge.js";
import { Icon } from "../../ui/icon.js";
import { FailureNotice } from "../../ui/notice.js";
import { useLoaded } from "../../ui/use-loaded.js";
import { Loading, View } from "../../ui/view.js";
import { notWell } from "./not-well.js";
import { entered, tallyOf, type States } from "./tally.js";

/** More than this many are not counted one by one in a browser: metrics do that. */
const countedMax = 50_000;

/** How the deployment is: what is not well, who runs, and how many accounts are in which state. */
export function OverviewPage() {
  const members = useLoaded(
    async (signal) => (await call<Page<MemberRow>>("GET /admin/members", { query: { limit: 1_000 }, signal })).docs,
    [],
  );
  const keyring = useLoaded(async (signal) => (may("administer") ? await call<Keyring>("GET /admin/keyring", { signal }) : undefined), []);
  const sessions = useStates();
  useLiveReload(members.reload, ({ type }) => type === "member" || type === "load");
  useLiveReload(keyring.reload, ({ type }) => type === "rotation");
  const tally = sessions.states === undefined ? undefined : tallyOf(sessions.states);
  return (
    <div class="page">
      <h1>Overview</h1>
      <View of={members}>
        {(rows) => (
          <>
            <Findings findings={notWell(rows, tally, keyring.value)} />
            <ul class="tiles" aria-label="Members">
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
                texts={["session hosted", "sessions hosted"]}
                address={to("/sessions")}
              />
            </ul>
          </>
        )}
      </View>
      <section class="card" aria-labelledby="states-title">
        <h2 id="states-title">Sessions by state</h2>
        {sessions.failure !== undefined && <FailureNotice failure={sessions.failure} onRetry={sessions.reload} />}
        {tally === undefined ? (
          sessions.failure === undefined && <Loading text="Counting …" />
        ) : (
          <ul class="states">
            {(["connected", "awaiting-qr", "awaiting-password", "disconnected"] as const).map((state) => (
              <li key={state}>
                <a href={to("/sessions", {}, { state })}>
                  <StateBadge state={state} />
                  <strong>{tally[state].toLocaleString()}</strong>
                </a>
              </li>
            ))}
          </ul>
        )}
        {sessions.cut && <p class="soft">The first {countedMax.toLocaleString()} sessions were counted.</p>}
      </section>
    </div>
  );
}

function Findings({ findings }: { findings: ReturnType<typeof notWell> }) {
  if (findings.length === 0)
    return (
      <p class="all-well">
        <Icon name="check" /> All is well.
      </p>
    );
  return (
    <section class="card" aria-labelledby="findings-title">
      <h2 id="findings-title">To look at</h2>
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
        <strong>{count.toLocaleString()}</strong> {count === 1 ? one : many}
      </a>
    </li>
  );
}

/** The state of each session: read once, then as it is told. */
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
  useEffect(
    () =>
      onLive((event) => {
        if (event.type === "missed") loaded.reload();
        if (event.type === "session") setStates((now) => (now === undefined ? now : entered(now, event.session, event.state)));
      }),
    [],
  );
  return { states, cut: loaded.value?.cut === true, failure: loaded.failure, reload: loaded.reload };
}
