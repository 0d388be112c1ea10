import type { SessionId } from "../contract/ids.js";
import type { Count } from "../contract/plain-values.js";
import type { Platform } from "../contract/platform.js";
import type { TenantName } from "../contract/tenant.js";
import type { SessionState } from "../session/state.js";
import type { MemberRecord } from "./membership.js";

/**
 * What operators hear of as it happens (`GET /admin/events`). Ids, states, names of members and tenants: nothing that a caller wrote, and nothing of an account.
 * `at`: ISO 8601, by the clock of the process that tells.
 */
export type News = Extract<NewsRow, { type: NewsType }>;

/** As it is stored: the name of a tenant with the `incarnation` that it is of, which is not sent to callers. */
export type StoredNews = News & { readonly incarnation?: string | undefined };

/** All there are. Browsers load this list as well. */
export const newsTypes = [
  "session",
  "code",
  "deliveries",
  "slots",
  "load",
  "member",
  "rotation",
  "missed",
] as const satisfies readonly NewsRow["type"][];
export type NewsType = (typeof newsTypes)[number];

type NewsRow = SessionNews | CodeNews | DeliveriesNews | SlotsNews | LoadNews | MemberNews | RotationNews | MissedNews;

/** A session came into a state. */
export interface SessionNews {
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

/** What a session shows its phone is another code now, or none; the code itself is not told. At most one a second for each session. */
export interface CodeNews {
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

/** What became of a session's webhook events since the last of these. At most one a second for each session, and only while somebody listens. */
export interface DeliveriesNews {
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

/** A member has taken slots, and with them their sessions. */
export interface SlotsNews {
  type: "slots";
  /** Time of the event. */
  at: string;
  /** Shard that took the slots. */
  member: string;
  /** Numbers of the slots. */
  slots: number[];
}

/** What a shard carries, after slots have come or gone. At most one a second for each shard. */
export interface LoadNews {
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

/** A member came into a state. */
export interface MemberNews {
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

/** How far a rotation of the keys has come. At most one a second. */
export interface RotationNews {
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

/** Something before this is not there to be told: lists say how things are. */
export interface MissedNews {
  type: "missed";
  /** Time of the event. */
  at: string;
}

/** News that are kept, of all processes together; Redis removes the oldest beyond them a hundred or so at a time. About 12 MB. */
export const newsMax = 50_000;
