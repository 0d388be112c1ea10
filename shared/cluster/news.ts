import type { SessionId } from "../contract/ids.js";
import type { Platform } from "../contract/platform.js";
import type { TenantName } from "../contract/tenant.js";
import { keys } from "../redis/keys.js";
import type { RedisClient } from "../redis/connect.js";
import type { SessionState } from "../session/state.js";
import type { MemberRecord } from "./membership.js";

/**
 * What operators hear of as it happens (`GET /admin/events`). Ids, states, names of members and tenants: nothing that a caller wrote, and nothing of an account.
 * `at`: ISO 8601, by the clock of the process that tells.
 */
export type News = SessionNews | SlotsNews | MemberNews | MissedNews;

/** A session came into a state. */
export interface SessionNews {
  type: "session";
  /** When. */
  at: string;
  /** Id of the session. */
  session: SessionId;
  /** On which platform it is. */
  platform: Platform;
  /** To whom it belongs. */
  tenant: TenantName;
  /** How far its login has come now. */
  state: SessionState["kind"];
  /** Who holds it. */
  member: string;
}

/** A member has taken slots, and with them their sessions. */
export interface SlotsNews {
  type: "slots";
  /** When. */
  at: string;
  /** Who took them. */
  member: string;
  /** Their numbers. */
  slots: number[];
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

/** Something before this is not there to be told: lists say how things are. */
export interface MissedNews {
  type: "missed";
  /** When. */
  at: string;
}

/** News that are kept, of all processes together; Redis removes the oldest beyond them a hundred or so at a time. About 12 MB. */
export const newsMax = 50_000;

/** In one write. Rejects when any row was refused; news may stand twice after such trouble. */
export async function appendNews(redis: RedisClient, rows: readonly News[]): Promise<void> {
  await Promise.all(rows.map((row) => redis.xadd(keys.news, "MAXLEN", "~", newsMax, "*", "n", JSON.stringify(row))));
}
