import type { SessionId } from "../contract/ids.js";
import type { Count } from "../contract/plain-values.js";
import type { Platform } from "../contract/platform.js";
import type { TenantName } from "../contract/tenant.js";
import type { SessionState } from "../session/state.js";
import type { MemberRecord } from "./membership.js";

/**
 * Live events for operators (`GET /admin/events`): ids, states, member and tenant names, but no
 * data of callers or accounts. `at`: ISO 8601, by the clock of the sending process.
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
  /** When. */
  at: string;
  /** Id of the session. */
  session: SessionId;
  /** On which platform it is. */
  platform: Platform;
  /** The tenant that owns the session. */
  tenant: TenantName;
  /** How far its login has come now. */
  state: SessionState["kind"];
  /** The member that owns the session's slot. */
  member: string;
}

/** The pairing code of a session changed or ended. Contains no code. At most one event per second and session. */
export interface CodeNews {
  type: "code";
  /** When. */
  at: string;
  /** Id of the session. */
  session: SessionId;
  /** On which platform it is. */
  platform: Platform;
  /** The tenant that owns the session. */
  tenant: TenantName;
  /** The member that owns the session's slot. */
  member: string;
}

/**
 * Results of a session's webhook events since the previous row. At most one per second and
 * session, and only while somebody is subscribed.
 */
export interface DeliveriesNews {
  type: "deliveries";
  /** When. */
  at: string;
  /** Id of the session. */
  session: SessionId;
  /** On which platform it is. */
  platform: Platform;
  /** The tenant that owns the session. */
  tenant: TenantName;
  /** Events that the receiver took. */
  delivered: Count;
  /** Requests that it did not take; the event is tried again. */
  failed: Count;
  /** Events that became dead letters. */
  dead: Count;
  /** Dead letters that go out again. */
  replayed: Count;
  /** For how long the oldest event has waited for the session's receiver, seconds; 0 when none waits. */
  webhookLag: Count;
  /** The member that owns the session's slot. */
  member: string;
}

/** A member has taken slots, and with them their sessions. */
export interface SlotsNews {
  type: "slots";
  /** When. */
  at: string;
  /** The member that took the slots. */
  member: string;
  /** Their numbers. */
  slots: number[];
}

/** What a shard carries, after slots have come or gone. At most one a second for each shard. */
export interface LoadNews {
  type: "load";
  /** When. */
  at: string;
  /** The member that carries the session. */
  member: string;
  /** Slots that it owns now. */
  slots: Count;
  /** Sessions that it hosts now. */
  sessions: Count;
  /** Marked by an operator: it gives its slots away. */
  drained: boolean;
}

/** A member came into a state. */
export interface MemberNews {
  type: "member";
  /** When. */
  at: string;
  /** Its stable name. */
  member: string;
  /** What it is now. */
  state: MemberRecord["state"];
  /** Where it runs. */
  host: string;
}

/** How far a rotation of the keys has come. At most one a second. */
export interface RotationNews {
  type: "rotation";
  /** When. */
  at: string;
  /** The member that does the work. */
  member: string;
  /** `counting` comes before and after `resealing`. */
  state: "counting" | "resealing" | "ended";
  /** Stored texts to seal anew. */
  total: Count;
  /** Stored texts that were sealed anew. */
  done: Count;
  /** Stored texts that do not open, and stay as they are. */
  failed: Count;
}

/** Events before this one are missing; clients read the lists again for the current state. */
export interface MissedNews {
  type: "missed";
  /** When. */
  at: string;
}

/** News that are kept, of all processes together; Redis removes the oldest beyond them a hundred or so at a time. About 12 MB. */
export const newsMax = 50_000;
