import typia from "typia";
import type { Count } from "../../shared/contract/plain-values.js";
import { defaultTenant, type TenantName } from "../../shared/contract/tenant.js";
import type { ShardQuotas } from "../../shared/tenant/kept-by-shards.js";
import type { OwnPace } from "../../shared/tenant/tenant-pace.js";
import type { KeyRole } from "./principal.js";

/** What a tenant may have at most; `null`: no limit. Each of them is enforced: what is not, does not stand here. */
export interface Quotas {
  /** Sessions at once, of both platforms. */
  sessions: Count | null;
  /** Requests to session endpoints, creates and its keys' calls of `/admin`, a second. */
  requestsPerSecond: Count | null;
  /** How many of those requests may come at once; without it a second's worth. Needs `requestsPerSecond`. */
  burst: Count | null;
  /** Requests to session endpoints and creates at work at once, from their heads to their answers. */
  inFlight: Count | null;
  /** Messages sent by `POST /message`, by days of UTC. */
  messagesPerDay: Count | null;
  /** Bytes of media that are sent to clients, a second. */
  mediaBytesPerSecond: Count | null;
  /** Downloads, renders and fetches of media at once: kept by shards. */
  downloads: Count | null;
  /** Webhook requests at once: kept by shards. */
  webhooks: Count | null;
}

/** Counts what quotas turned away. */
export interface QuotaMetrics {
  quotaReached(quota: Exclude<keyof Quotas, "burst" | keyof ShardQuotas>): void;
}

/** How fast each of its sessions may send; `null`: as fast as the deployment says. */
export interface Pace {
  /** Messages a minute, 0: as fast as it can. */
  sendsPerMinute: Count | null;
  /** First messages an hour to people with whom it has exchanged none, 0: any number. */
  newContactsPerHour: Count | null;
}

export const deploymentPace: Pace = { sendsPerMinute: null, newContactsPerHour: null };

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

/** A tenant as it is stored. */
export interface TenantRecord {
  name: string;
  /** ISO 8601. */
  created: string;
  quotas: Partial<Quotas>;
  /** Absent, as each of its parts: the deployment's. */
  pace?: OwnPace;
}

/** See `TenantLife`. */
export function incarnationOf({ name, created }: Pick<TenantRecord, "name" | "created">): string {
  return name === defaultTenant ? "" : created;
}

/** A key as it is stored: never the key itself. */
export interface KeyRecord {
  id: string;
  /** SHA-256, hex. */
  hash: string;
  /** Empty for the role `admin`. */
  tenant: TenantName | "";
  role: KeyRole;
  label: string;
  /** ISO 8601; `expires` is empty for a key that lasts until it is revoked. */
  created: string;
  expires: string;
}

/** `undefined` for a text that is no such record: it may have been altered. */
export const parseTenant = (text: string): TenantRecord | undefined => parsed(() => asTenant(text));
export const parseKey = (text: string): KeyRecord | undefined => parsed(() => asKey(text) as KeyRecord | null);

const asTenant = typia.json.createIsParse<TenantRecord>();
const asKey = typia.json.createIsParse<Omit<KeyRecord, "tenant"> & { tenant: string }>();

function parsed<T>(parse: () => T | null): T | undefined {
  try {
    return parse() ?? undefined;
  } catch {
    // Not even JSON.
    return undefined;
  }
}
