import type { SessionId } from "../../shared/contract/ids.js";
import type { TenantName } from "../../shared/contract/tenant.js";
import type { Log } from "../../shared/log/logger.js";
import { sessionTag } from "../../shared/log/session-tag.js";
import type { SessionState } from "../../shared/session/state.js";
import type { Platform } from "../../shared/contract/platform.js";
import type { ClusterAudit } from "./cluster-audit.js";
import type { ConnectLimiter } from "../session/connect-limiter.js";
import type { PlatformRegistry } from "../session/platform-adapter.js";
import { Session } from "../session/session.js";
import { createdAt, isYoung } from "../session/young-account.js";
import { SessionStore } from "../session/session-store.js";
import { showsAnother } from "../session/state-change.js";
import type { LoadedSession } from "../session/store/session-record.js";
import type { SessionWriter } from "../session/store/session-writer.js";
import type { LiveEventPort } from "../session/live-events/live-event-writer.js";
import type { PaceRates } from "../tenant/pace/pace-rates.js";
import { SessionPace } from "../tenant/pace/session-pace.js";
import type { Courier } from "../webhook/courier.js";
import type { HeldSlots } from "./held-slots.js";
import type { RefusalWatch } from "./refusal-watch.js";
import type { AcquiredSlot } from "./slot-listener.js";

/** Dependencies of every session. */
export interface SessionParts {
  slots: Pick<HeldSlots, "holds" | "token" | "fenced">;
  writer: SessionWriter;
  platforms: PlatformRegistry;
  /** Proxy of a tenant: empty without a proxy, `undefined` when it is unknown. */
  tenantProxy: (tenant: TenantName) => string | undefined;
  qrPng: (session: SessionId, text: string) => Promise<Buffer>;
  /** Current pace of a tenant's session whose account was linked then. */
  paceOf: (platform: Platform, tenant: TenantName, linkedAt: Date) => PaceRates;
  /** How long a session counts as young after its creation or the linking of its account. */
  youngMs: Readonly<Record<Platform, number>>;
  courier: Pick<Courier, "open">;
  metrics: {
    stateEntered(platform: Platform, state: SessionState["kind"]): void;
    newContactRefused(platform: Platform): void;
    firstMessageBlocked(platform: Platform): void;
  };
  refusals: Pick<RefusalWatch, "note">;
  audit: Pick<ClusterAudit, "expired">;
  liveEvents: LiveEventPort;
  log: Log;
}

/** Shared state of a process's connects. */
export interface Connects {
  readonly limiter: ConnectLimiter;
  /** Called when a session is connected again after its connects had failed since that moment. */
  readonly recovered: (platform: Platform, failingSince: number) => void;
}

/** Builds a loaded session with its store under its slot's token. The session does nothing until it is run. */
export function openSession(
  { slots, writer, platforms, tenantProxy, qrPng, paceOf, youngMs, courier, metrics, refusals, audit, liveEvents, log }: SessionParts,
  { limiter, recovered }: Connects,
  { id, platform, tenant, incarnation, state, life, health, key, hasProxy }: LoadedSession,
  { slot, token }: AcquiredSlot,
): { session: Session; store: SessionStore } {
  const adapter = platforms[platform];
  let reported = state;
  const subject = { id, platform, tenant, incarnation: incarnation === "" ? undefined : incarnation };
  const store: SessionStore = new SessionStore({
    id,
    token,
    state,
    life,
    health,
    key,
    hasProxy,
    tenantProxy: () => tenantProxy(tenant),
    writer,
    fence: { holds: () => slots.holds(slot, token) },
    openDelivery: (options) =>
      courier.open({
        ...options,
        tenant,
        onOutcome: (outcome, events) => liveEvents.delivery(subject, outcome, events, () => store.delivery.oldestSeconds),
      }),
    openPace: (peers, linkedAt) =>
      new SessionPace({
        rates: () => paceOf(platform, tenant, linkedAt() ?? createdAt(id)),
        peers,
        onRefused: () => metrics.newContactRefused(platform),
      }),
    onRestriction: (restriction) => liveEvents.restriction(subject, restriction?.until ?? ""),
    onBlocked: () => metrics.firstMessageBlocked(platform),
    qrPng: (text) => qrPng(id, text),
    onFenced: () => slots.fenced(slot, token),
    onState: (entered) => {
      metrics.stateEntered(platform, entered.kind);
      // A new code is not a new state.
      if (entered.kind !== reported.kind) liveEvents.session(subject, entered.kind);
      else if (showsAnother(reported, entered)) liveEvents.code(subject);
      reported = entered;
      if (entered.kind === "deleted" && entered.reason !== "owner")
        audit.expired({ id, tenant, incarnation: subject.incarnation }, entered.reason);
    },
    log: log.child({ session: sessionTag(id), platform }),
  });
  const session = new Session({
    context: store,
    open: (context) => adapter.open(context),
    limiter,
    isYoung: () => isYoung(id, store.linkedAt, youngMs[platform], Date.now()),
    dropMs: adapter.dropMs,
    onRecovered: (failingSince) => recovered(platform, failingSince),
    onConnectionEnd: (kind, refusal) => {
      adapter.onConnectionEnd(kind);
      if (refusal !== undefined)
        refusals.note({ platform, session: id, kind: refusal, class: "connect", message: "the platform refused the connection" });
    },
  });
  return { session, store };
}
