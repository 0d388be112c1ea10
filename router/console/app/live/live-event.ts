import type { Platform, StateName } from "../api/rows.js";

/** `GET /admin/events`. `missed`: something before it was not told, so lists are to be read again. */
export type LiveEvent =
  | { type: "session"; at: string; session: string; platform: Platform; tenant: string; state: StateName | "deleted"; member: string }
  | { type: "slots"; at: string; member: string; slots: number[] }
  | { type: "member"; at: string; member: string; state: string; host: string }
  | { type: "missed"; at: string };
