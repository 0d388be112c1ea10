import type { SessionId } from "../contract/ids.js";
import type { Count } from "../contract/plain-values.js";
import type { Platform } from "../contract/platform.js";
import type { TenantName } from "../contract/tenant.js";
import type { SessionState } from "../session/state.js";
import type { MemberRecord } from "./membership.js";

/**
 * Live events for operators (`GET /admin/events`). They contain ids, states and names of members and tenants, but no caller's data and no
 * account data. `at` is ISO 8601 by the sending process's clock.
 */
export type OperatorEvent = Extract<LiveEventRow, { type: LiveEventType }>;

/** The stored form of an event. The tenant's `incarnation` is not sent to clients. */
export type StoredLiveEvent = OperatorEvent & { readonly incarnation?: string | undefined };

/** All event types. Browsers load this list as well. */
export const liveEventTypes = [
  "session",
  "code",
  "restriction",
  "deliveries",
  "slots",
  "load",
  "member",
  "rotation",
  "missed",
] as const satisfies readonly LiveEventRow["type"][];
export type LiveEventType = (typeof liveEventTypes)[number];

type LiveEventRow =
  | LiveSessionEvent
  | LiveCodeEvent
  | LiveRestrictionEvent
  | LiveDeliveriesEvent
  | LiveSlotsEvent
  | LiveLoadEvent
  | LiveMemberEvent
  | LiveRotationEvent
  | LiveMissedEvent;

/** A session changed its state. */
export interface LiveSessionEvent {
  type: "session";
  /** Time of the event. */
  at: string;
  /** Id of the session. */
  session: SessionId;
  /** Platform of the session. */
  platform: Platform;
  /** Tenant of the session. */
  tenant: TenantName;
  /** New state of the session. */
  state: SessionState["kind"];
  /** Shard of the session. */
  member: string;
}

/** A session shows another QR code or none. Does not contain the code. At most one a second for each session. */
export interface LiveCodeEvent {
  type: "code";
  /** Time of the event. */
  at: string;
  /** Id of the session. */
  session: SessionId;
  /** Platform of the session. */
  platform: Platform;
  /** Tenant of the session. */
  tenant: TenantName;
  /** Shard of the session. */
  member: string;
}

/** The platform restricted the account of a session, or the restriction has ended. */
export interface LiveRestrictionEvent {
  type: "restriction";
  /** Time of the event. */
  at: string;
  /** Id of the session. */
  session: SessionId;
  /** Platform of the session. */
  platform: Platform;
  /** Tenant of the session. */
  tenant: TenantName;
  /** When the restriction ends. Empty when it has ended. */
  until: string;
  /** Shard of the session. */
  member: string;
}

/**
 * Outcomes of a session's webhook events since the previous event of this type. At most one a second for each session, and only while a
 * client listens.
 */
export interface LiveDeliveriesEvent {
  type: "deliveries";
  /** Time of the event. */
  at: string;
  /** Id of the session. */
  session: SessionId;
  /** Platform of the session. */
  platform: Platform;
  /** Tenant of the session. */
  tenant: TenantName;
  /** Events delivered. */
  delivered: Count;
  /** Failed attempts. The gateway retries the events. */
  failed: Count;
  /** Events that failed permanently. */
  dead: Count;
  /** Failed events that were replayed. */
  replayed: Count;
  /** Age of the oldest pending event in seconds. 0 if none is pending. */
  webhookLag: Count;
  /** Shard of the session. */
  member: string;
}

/** A shard acquired slots, and their sessions with them. */
export interface LiveSlotsEvent {
  type: "slots";
  /** Time of the event. */
  at: string;
  /** Shard that took the slots. */
  member: string;
  /** Numbers of the slots. */
  slots: number[];
}

/** Load of a shard after it acquired or released slots. At most one a second for each shard. */
export interface LiveLoadEvent {
  type: "load";
  /** Time of the event. */
  at: string;
  /** Name of the shard. */
  member: string;
  /** Number of slots that the shard owns. */
  slots: Count;
  /** Number of sessions on the shard. */
  sessions: Count;
  /** True if an operator drained the shard. */
  drained: boolean;
}

/** A member changed its state. */
export interface LiveMemberEvent {
  type: "member";
  /** Time of the event. */
  at: string;
  /** Name of the process. */
  member: string;
  /** New state of the process. */
  state: MemberRecord["state"];
  /** Host of the process. */
  host: string;
}

/** Progress of a key rotation. At most one a second. */
export interface LiveRotationEvent {
  type: "rotation";
  /** Time of the event. */
  at: string;
  /** Shard that runs the rotation. */
  member: string;
  /** `counting` comes before and after `resealing`. */
  state: "counting" | "resealing" | "ended";
  /** Records to re-encrypt. */
  total: Count;
  /** Re-encrypted records. */
  done: Count;
  /** Records that cannot be decrypted. They stay unchanged. */
  failed: Count;
}

/** Earlier events are missing from the stream. The list calls return the current state. */
export interface LiveMissedEvent {
  type: "missed";
  /** Time of the event. */
  at: string;
}

/** Limit of stored events over all processes, about 12 MB. Redis removes the oldest ones, some hundred at a time. */
export const liveEventsMax = 50_000;
