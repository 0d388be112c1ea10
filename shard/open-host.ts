import type { SessionId } from "../shared/contract/ids.js";
import type { Opened } from "../shared/process/lifecycle.js";
import type { ShardContext } from "./context.js";
import { HeldSlots } from "./cluster/held-slots.js";
import { Host } from "./cluster/host.js";
import { watchHost, watchRefusals, watchRestrictions } from "./cluster/host-gauges.js";
import type { LeaseKeeper } from "./cluster/lease-keeper.js";
import type { HostedSessions } from "./cluster/hosted-sessions.js";
import { RefusalWatch } from "./cluster/refusal-watch.js";
import type { ImagePool } from "./files/image/image-pool.js";
import type { Operations } from "./open-operations.js";
import { paceRates } from "./tenant/pace/pace-rates.js";
import type { Refusal } from "./session/refusal.js";
import type { PlatformRegistry } from "./session/platform-adapter.js";
import { SessionWriter } from "./session/store/session-writer.js";
import type { TenantSettings } from "./tenant/tenant-settings.js";
import type { Courier } from "./webhook/courier.js";

/** The sessions that live here, and the slots under whose tokens they write. */
export interface OpenedHost extends Opened {
  readonly held: HeldSlots;
  readonly host: Host;
  readonly refusals: RefusalWatch;
}

export interface HostParts {
  readonly lease: LeaseKeeper;
  readonly operations: Operations;
  readonly tenants: TenantSettings;
  readonly platforms: PlatformRegistry;
  readonly images: ImagePool;
  readonly courier: Courier;
}

/** Refusals are kept with the session that they concern, while it lives here. */
const keepRefusal =
  (hosted: HostedSessions) =>
  ({ platform, session, kind, message }: Refusal): void =>
    hosted.get(platform, session as SessionId)?.context.health.refused({ kind, message });

export function openHost(context: ShardContext, parts: HostParts): OpenedHost {
  const { settings, secrets, redis, registry, metrics, hosted, log } = context;
  const { lease, operations, tenants, platforms, images, courier } = parts;
  const held = new HeldSlots(lease, log);
  const refusals = new RefusalWatch({ tenantOf: hosted.tenantOf, onRefused: metrics.refused, keep: keepRefusal(hosted), log });
  const host = new Host({
    hosted,
    slots: held,
    writer: new SessionWriter(redis.writer, secrets.credentialRing, settings.historyMessages),
    platforms,
    lagMs: () => operations.loopLag.ms,
    tenantProxy: (tenant) => tenants.proxyOf(tenant),
    paceOf: (platform, tenant, linkedAt) => paceRates(settings.pace[platform], tenants.paceOf(tenant), { linkedAt, now: Date.now() }),
    youngMs: settings.youngMs,
    qrPng: (session, text) => images.qrPng(text, { key: session }),
    courier,
    metrics: metrics.host,
    refusals,
    audit: operations.audit,
    liveEvents: operations.liveEvents,
    log,
  });
  watchHost(registry, host);
  watchRestrictions(registry, host);
  watchRefusals(registry, refusals);
  return { held, host, refusals, lifecycle: [["host", { stop: () => host.stop() }]] };
}
