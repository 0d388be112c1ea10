import { randomUUID } from "node:crypto";
import { TenantPlaces } from "../shared/tenant/tenant-places.js";
import { PaceLine } from "./bus/pace-line.js";
import type { Opened } from "../shared/process/lifecycle.js";
import type { ShardContext } from "./context.js";
import { type ShardQuota, watchQuotas } from "./tenant/quota-gauges.js";
import { TenantSettings } from "./tenant/tenant-settings.js";

/** Downloads of one tenant that may wait: as many as may wait without a quota. */
const downloadsWaitingMax = 500;

/** The limits of tenants here, and the pace of their sessions. */
export interface Tenants extends Opened {
  readonly settings: TenantSettings;
  readonly places: Readonly<Record<ShardQuota, TenantPlaces>>;
  readonly paceLine: PaceLine;
}

export function openTenants({ settings: { name }, secrets, redis, registry, metrics, hosted, log }: ShardContext): Tenants {
  const { writer, subscriber } = redis;
  const { tenantOf, isShared } = hosted;
  const paceLine = new PaceLine({ tenantOf, isShared, onPaced: metrics.paced });
  const settings = new TenantSettings({
    redis: writer,
    subscriber,
    ring: secrets.credentialRing,
    onProxies: (changed) => hosted.reroute(changed),
    onPaces: (changed) => paceLine.changed(changed),
    log,
  });
  // A fresh name per start: places that a former process held expire by themselves.
  const member = `${name}:${randomUUID().slice(0, 8)}`;
  const placesOf = (quota: ShardQuota, waitingMax: number): TenantPlaces =>
    new TenantPlaces({
      redis: writer,
      quota,
      member,
      limitOf: (tenant) => settings.limitOf(tenant, quota),
      waitingMax,
      onWaited: (seconds) => metrics.quotaWaited(quota, seconds),
    });
  // Each session waits at most once for a webhook's place.
  const places = { downloads: placesOf("downloads", downloadsWaitingMax), webhooks: placesOf("webhooks", Number.POSITIVE_INFINITY) };
  watchQuotas(registry, places);
  return {
    settings,
    places,
    paceLine,
    lifecycle: [
      ["tenants' settings", settings],
      ["download places", places.downloads],
      ["webhook places", places.webhooks],
    ],
  };
}
