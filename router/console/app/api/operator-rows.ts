import type { KeyRole } from "./rows.js";

/** Row of `GET /admin/members`. Values that were not reported recently are `null`. */
export interface MemberRow {
  readonly name: string;
  readonly role: "router" | "shard" | "supervisor";
  readonly state: "active" | "draining" | "drained" | "gone" | "dead";
  readonly drained: boolean;
  readonly host: string;
  readonly version: string | null;
  readonly slots: number | null;
  readonly sessions: number | null;
  readonly loopLagMs: number | null;
  readonly memoryBytes: number | null;
}

export type SlotState = "held" | "draining" | "free" | "lost";

/** Row of `GET /admin/slots`. */
export interface SlotAssignment {
  readonly slot: number;
  readonly state: SlotState;
  readonly member: string;
  readonly pin: string;
}

/** `GET /admin/slots/{slot}`. */
export interface SlotRow extends SlotAssignment {
  readonly sessions: number | null;
}

export const quotaNames = [
  "sessions",
  "requestsPerSecond",
  "burst",
  "inFlight",
  "messagesPerDay",
  "mediaBytesPerSecond",
  "downloads",
  "webhooks",
] as const;
export type QuotaName = (typeof quotaNames)[number];

export const paceNames = ["sendsPerMinute", "newContactsPerHour"] as const;
export type PaceName = (typeof paceNames)[number];

export const warmUpNames = ["days", "from"] as const;
export type WarmUpName = (typeof warmUpNames)[number];

/** `GET /admin/tenants`. */
export interface TenantRow {
  readonly name: string;
  readonly created: string;
  readonly quotas: Readonly<Record<QuotaName, number | null>>;
  /** `null`: the deployment's default. */
  readonly pace: Readonly<Record<PaceName, number | null>> & { readonly warmUp: Readonly<Record<WarmUpName, number>> | null };
  /** Without its login. */
  readonly proxy: string | null;
  /** Absent for a tenant without a daily limit of messages. */
  readonly usage?: { readonly messagesToday: number };
}

/** Row of `GET /admin/keys`. Only the response that created the key has `key`. */
export interface KeyRow {
  readonly id: string;
  readonly tenant: string | null;
  readonly role: KeyRole;
  readonly label: string;
  readonly created: string;
  readonly expires: string | null;
  /** Without its login. */
  readonly proxy: string | null;
  readonly lastUsed: string | null;
}

/** `GET /admin/keyring`. Instants are empty while there is none. */
export interface Keyring {
  readonly sealing: string;
  readonly keys: readonly {
    readonly id: string;
    readonly sealing: boolean;
    readonly records: number | null;
    readonly neededUntil: string;
    readonly removable: boolean;
    readonly missing: readonly string[];
  }[];
  readonly members: readonly {
    readonly name: string;
    readonly role: string;
    readonly host: string;
    readonly keys: readonly string[] | null;
  }[];
  readonly rotation: Rotation | null;
  readonly erasure: { readonly heldSince: string; readonly rewritten: string; readonly problem: string };
}

export interface Rotation {
  readonly state: "counting" | "resealing" | "ended";
  readonly total: number;
  readonly done: number;
  readonly failed: number;
  readonly started: string;
  readonly ended: string;
  readonly member: string;
}
