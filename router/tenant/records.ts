import typia from "typia";
import type { Count } from "../../shared/contract/plain-values.js";
import { defaultTenant, type TenantName } from "../../shared/contract/tenant.js";
import type { ShardQuotas } from "../../shared/tenant/kept-by-shards.js";
import type { OwnPace } from "../../shared/tenant/tenant-pace.js";
import type { KeyRole } from "./principal.js";

/** Limits of a tenant. `null`: no limit. */
export interface Quotas {
  /** Number of sessions, on both platforms. */
  sessions: Count | null;
  /** Requests per second: calls of sessions, new sessions, and `/admin` calls of the tenant's keys. */
  requestsPerSecond: Count | null;
  /** Requests that can arrive at once. Default: the requests of one second. Needs `requestsPerSecond`. */
  burst: Count | null;
  /** Concurrent requests to sessions, including new sessions. */
  inFlight: Count | null;
  /** Messages per UTC day: to people, groups and channels, and on WhatsApp also reactions, edits and deletions. An album counts as one. */
  messagesPerDay: Count | null;
  /** Bytes of media per second to clients. */
  mediaBytesPerSecond: Count | null;
  /** Concurrent downloads, renderings and media fetches. */
  downloads: Count | null;
  /** Concurrent webhook requests. */
  webhooks: Count | null;
}

/** Counts requests rejected by quotas. */
export interface QuotaMetrics {
  quotaReached(quota: Exclude<keyof Quotas, "burst" | keyof ShardQuotas>): void;
}

/** Limits for sending messages, per session. `null`: default of the deployment. */
export interface Pace {
  /** Messages per minute. 0: no limit. */
  sendsPerMinute: Count | null;
  /** First messages per hour to people without earlier messages. 0: no limit. */
  newContactsPerHour: Count | null;
  /** Slows young accounts. `null`: no warm-up. */
  warmUp: WarmUp | null;
}

/** A warm-up of young accounts. */
export interface WarmUp {
  /** Days from the linking of the account to the full pace, 1 to 365. */
  days: Count;
  /** Messages on the first day, 1 to 100,000, at an even pace. Each day allows more, up to the full pace. */
  from: Count;
}

export const deploymentPace: Pace = { sendsPerMinute: null, newContactsPerHour: null, warmUp: null };

export const noQuotas: Quotas = {
  sessions: null,
  requestsPerSecond: null,
  burst: null,
  inFlight: null,
  messagesPerDay: null,
  mediaBytesPerSecond: null,
  downloads: null,
  webhooks: null,
};

/** A stored tenant. */
export interface TenantRecord {
  name: string;
  /** ISO 8601. */
  created: string;
  quotas: Partial<Quotas>;
  /** An absent value means the deployment's default. */
  pace?: OwnPace;
}

/** See `TenantLife`. */
export function incarnationOf({ name, created }: Pick<TenantRecord, "name" | "created">): string {
  return name === defaultTenant ? "" : created;
}

/** A stored key, without the key itself. */
export interface KeyRecord {
  id: string;
  /** SHA-256, hex. */
  hash: string;
  /** Empty for the role `admin`. */
  tenant: TenantName | "";
  role: KeyRole;
  label: string;
  /** ISO 8601. `expires` is empty for a key without an expiry. */
  created: string;
  expires: string;
}

/** Returns `undefined` for a text that is not a valid record. */
export const parseTenant = (text: string): TenantRecord | undefined => parsed(() => asTenant(text));
export const parseKey = (text: string): KeyRecord | undefined => parsed(() => asKey(text) as KeyRecord | null);

const asTenant = typia.json.createIsParse<TenantRecord>();
const asKey = typia.json.createIsParse<Omit<KeyRecord, "tenant"> & { tenant: string }>();

function parsed<T>(parse: () => T | null): T | undefined {
  try {
    return parse() ?? undefined;
  } catch {
    // The text is not JSON.
    return undefined;
  }
}
