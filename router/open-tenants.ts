import type { TenantName } from "../shared/contract/tenant.js";
import { keys as keysInRedis } from "../shared/redis/keys.js";
import type { SchemaFollower } from "../shared/cluster/schema/schema-follower.js";
import { TenantPlaces } from "../shared/tenant/tenant-places.js";
import type { Opened } from "../shared/process/lifecycle.js";
import type { RouterContext } from "./context.js";
import { Admission } from "./endpoint/admission.js";
import { MediaBytes } from "./media/media-bytes.js";
import { watchDirectory } from "./tenant/directory-gauges.js";
import { DirectoryStore } from "./tenant/directory-store.js";
import { KeyDirectory } from "./tenant/key-directory.js";
import { KeyUses } from "./tenant/key-uses.js";
import { MessageDays } from "./tenant/message-days.js";
import { byteLimits, requestLimits } from "./tenant/rate-limits.js";
import type { Quotas } from "./tenant/records.js";
import { SessionMoves } from "./tenant/session-moves.js";
import { SessionPlaces } from "./tenant/session-places.js";
import { TenantRates } from "./tenant/tenant-rates.js";

/** Most requests of a tenant that wait for one of its places to be given back. */
const requestsWaitingMax = 100;

/** Authentication of callers, and the quotas of tenants. */
export interface Tenants extends Opened {
  readonly store: DirectoryStore;
  readonly keys: KeyDirectory;
  readonly admission: Admission;
  readonly mediaBytes: MediaBytes;
  readonly messages: MessageDays;
  readonly places: SessionPlaces;
  readonly moves: SessionMoves;
}

export function openTenants({ secrets, redis, registry, metrics, life, log }: RouterContext, schema: SchemaFollower): Tenants {
  const { writer, subscriber } = redis;
  const store = new DirectoryStore(writer);
  const uses = new KeyUses(store, log);
  const keys = new KeyDirectory({ store, schema, subscriber, configured: secrets.configuredKeys, uses, log });
  watchDirectory(registry, keys);
  const quotasOf = (tenant: TenantName): Partial<Quotas> | undefined => keys.tenant(tenant)?.quotas;
  const requests = new TenantRates({
    redis: writer,
    key: keysInRedis.tenantRequests,
    limitsOf: (tenant) => requestLimits(quotasOf(tenant)),
    onRefused: () => metrics.quotaReached("requestsPerSecond"),
  });
  const inFlight = new TenantPlaces({
    redis: writer,
    quota: "inFlight",
    member: life,
    limitOf: (tenant) => quotasOf(tenant)?.inFlight ?? undefined,
    waitingMax: requestsWaitingMax,
  });
  const bytes = new TenantRates({
    redis: writer,
    key: keysInRedis.tenantMediaBytes,
    limitsOf: (tenant) => byteLimits(quotasOf(tenant)),
    onRefused: () => undefined,
  });
  return {
    store,
    keys,
    admission: new Admission(requests, inFlight, metrics),
    mediaBytes: new MediaBytes(bytes, () => metrics.quotaReached("mediaBytesPerSecond")),
    messages: new MessageDays({ redis: writer, quotasOf, metrics }),
    places: new SessionPlaces(writer, metrics),
    moves: new SessionMoves(writer, metrics),
    lifecycle: [
      ["request rates", requests],
      ["requests in flight", inFlight],
      ["media rates", bytes],
      ["key uses", uses],
      ["key directory", keys],
    ],
  };
}
