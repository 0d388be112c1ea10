import { useEffect, useState } from "preact/hooks";
import { call } from "../../api/call.js";
import type { Keyring, MemberRow } from "../../api/operator-rows.js";
import type { Page } from "../../api/rows.js";
import { liveState } from "../../live/live-events.js";
import { useLiveReload } from "../../live/use-live-reload.js";
import { may } from "../../sign-in/who.js";
import { useNow } from "../../ui/ago.js";
import { agoText, lastingText } from "../../ui/lasting-text.js";
import { FailureNotice } from "../../ui/notice.js";
import { useLoaded, type Loaded } from "../../ui/use-loaded.js";
import { useRefresh } from "../../ui/use-refresh.js";
import { Loading } from "../../ui/view.js";
import { Figures } from "./figures.js";
import { Findings } from "./findings.js";
import { HealthList } from "./health-list.js";
import { healthOf } from "./health.js";
import { isStale, notKnown, type Part } from "./not-known.js";
import { notWell } from "./not-well.js";
import { withSample } from "./samples.js";
import { SessionStates } from "./session-states.js";
import { listedNow, silentProcesses, type LastListed } from "./silent-processes.js";
import { tallyOf } from "./tally.js";
import { useSessions } from "./use-sessions.js";
import { useTraffic } from "./use-traffic.js";
import { delayMs, type Pending } from "./webhook-delay.js";

/** The home page: problems, health, traffic, and sessions per state. */
export function OverviewPage() {
  const members = useLoaded(
    async (signal) => (await call<Page<MemberRow>>("GET /admin/members", { query: { limit: 1_000 }, signal })).docs,
    [],
  );
  const keyring = useLoaded(async (signal) => (may("administer") ? await call<Keyring>("GET /admin/keyring", { signal }) : undefined), []);
  const { sessions, ...counting } = useSessions();
  const traffic = useTraffic();
  useRefresh(members);
  useLiveReload(members.reload, ({ type }) => type === "member" || type === "load");
  useLiveReload(keyring.reload, ({ type }) => type === "rotation");
  const now = useNow(1_000);
  const listed = useListed(members);
  const delays = useDelays(sessions?.pending, members.at);
  // Events update these parts, so they are current while the stream is live.
  const current = (part: Omit<Part, "name">, name: string): Part => ({
    name,
    failure: part.failure,
    at: part.at !== undefined && liveState.value === "live" ? now : part.at,
  });
  const cluster = { name: "Cluster", at: members.at, failure: members.failure };
  const counted = current(counting, "Sessions by state");
  const measured = { name: "Traffic", at: traffic.at, failure: traffic.failure };
  const parts = [cluster, counted, ...(may("administer") ? [measured, current(keyring, "Encryption keys")] : [])];
  const tally = sessions === undefined ? undefined : tallyOf(sessions.states);
  const stale = isStale(cluster, now);
  return (
    <div class="page">
      <div class="page-head">
        <h1>Overview</h1>
        {members.at !== undefined && (
          <p class="soft">{stale ? `Last updated ${lastingText(now - members.at)} ago` : `Updated ${agoText(now - members.at)}`}</p>
        )}
      </div>
      <Findings
        findings={[...notWell(members.value, tally, keyring.value), ...silentProcesses(listed, members.value ?? [])]}
        unknown={notKnown(parts, now)}
        isRead={parts.every(({ at }) => at !== undefined)}
      />
      {members.failure !== undefined && <FailureNotice failure={members.failure} doing="load data" onRetry={members.reload} />}
      {members.value === undefined && members.failure === undefined ? (
        <Loading />
      ) : (
        <HealthList vitals={healthOf({ members: members.value, failure: members.failure, stale })} stale={stale} />
      )}
      <Figures
        traffic={traffic}
        trafficStale={isStale(measured, now)}
        delayMs={sessions === undefined ? undefined : delayMs(sessions.pending, now)}
        delays={delays}
        delayStale={isStale(counted, now)}
      />
      <SessionStates tally={tally} cut={counting.cut} failure={counting.failure} onRetry={counting.reload} stale={isStale(counted, now)} />
    </div>
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

/** Webhook delays in seconds, one for each reading of the members, so that all lines of the page have the same pace. */
function useDelays(pending: Pending | undefined, readAt: number | undefined): readonly number[] {
  const [delays, setDelays] = useState<readonly number[]>([]);
  useEffect(() => {
    if (pending !== undefined && readAt !== undefined) setDelays((before) => withSample(before, delayMs(pending, readAt) / 1_000));
  }, [readAt]);
  return delays;
}
