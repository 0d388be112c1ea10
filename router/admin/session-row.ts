import type { Platform } from "../../shared/contract/platform.js";
import type { SessionId } from "../../shared/contract/ids.js";
import type { TenantName } from "../../shared/contract/tenant.js";
import type { MemberWatch } from "../../shared/cluster/member-watch.js";
import type { SlotOwner } from "../../shared/cluster/ownership.js";
import type { SessionSummary } from "../../shared/session/summary.js";
import { isActive } from "../session/session-reader.js";

/** One session, as operators see it. Texts are empty where there is nothing to say. */
export interface SessionRow {
  id: SessionId;
  tenant: TenantName;
  platform: Platform;
  state: SessionSummary["state"];
  /** When it came into this state; ISO 8601. */
  since: string;
  /** Who holds it now; empty while nobody does. */
  member: string;
  slot: number;
  name: string;
  phone: string;
  label: string;
  lastError: string;
  /** For how long the oldest event has waited for the session's receiver, seconds; 0 when none waits. */
  webhookLag: number;
}

/** What of a session's record a row is made of. */
export interface RowRecord {
  readonly id: SessionId;
  readonly platform: Platform;
  readonly tenant: TenantName;
  readonly label: string;
  readonly stamp: string;
  readonly summary: SessionSummary;
}

/** As far as this router can see: what is stored as connected is that only while a living owner says so, and has been heard of lately. Pure. */
export function sessionRow(
  { id, platform, tenant, label, stamp, summary }: RowRecord,
  slot: number,
  owner: SlotOwner | undefined,
  members: Pick<MemberWatch, "lives" | "heard">,
): Omit<SessionRow, "webhookLag"> {
  const held = isActive(stamp, owner, members) ? owner : undefined;
  const isHeard = held !== undefined && members.heard(held.member, held.incarnation);
  const state = summary.state === "connected" && !isHeard ? "disconnected" : summary.state;
  const { since, name, phone, lastError } = summary;
  return { id, tenant, platform, state, since, member: held?.member ?? "", slot, name, phone, label, lastError };
}
