import type { Platform } from "../../shared/contract/platform.js";
import type { Count, Instant } from "../../shared/contract/plain-values.js";
import type { SessionId } from "../../shared/contract/ids.js";
import type { TenantLife } from "../../shared/contract/tenant.js";
import type { MemberWatch } from "../../shared/cluster/member-watch.js";
import type { SlotOwner } from "../../shared/cluster/ownership.js";
import type { SessionSummary } from "../../shared/session/summary.js";
import { isActive } from "../sessions/session-reader.js";

/** One session, as operators see it. Texts are empty where there is nothing to say. */
export interface SessionRow {
  /** Id of the session, 24 hex digits. */
  id: string;
  /** To whom it belongs. */
  tenant: string;
  /** On which platform it is. */
  platform: Platform;
  /** How far its login has come, as far as this router can see. */
  state: SessionSummary["state"];
  /** When it came into this state. */
  since: Instant;
  /** Who holds it now; empty while nobody does. */
  member: string;
  /** Its slot, 0 to 4095: what moves as a whole. */
  slot: Count;
  /** Name of the account. */
  name: string;
  /** Number of the account. */
  phone: string;
  /** What its creator called it. */
  label: string;
  /** What befell it last, in a few words of ours. */
  lastError: string;
  /** For how long the oldest event has waited for the session's receiver, seconds; 0 when none waits. */
  webhookLag: Count;
}

/** What of a session's record a row is made of. */
export interface RowRecord extends TenantLife {
  readonly id: SessionId;
  readonly platform: Platform;
  readonly label: string;
  readonly stamp: string;
  readonly summary: SessionSummary;
}

/** A row before anybody has looked at what waits for its receiver. */
export type FoundRow = Omit<SessionRow, "webhookLag" | "id" | "tenant"> & Pick<RowRecord, "id" | "tenant">;

/** As far as this router can see: what is stored as connected is that only while a living owner says so, and has been heard of lately. Pure. */
export function sessionRow(
  { id, platform, tenant, label, stamp, summary }: RowRecord,
  slot: number,
  owner: SlotOwner | undefined,
  members: Pick<MemberWatch, "lives" | "heard">,
): FoundRow {
  const held = isActive(stamp, owner, members) ? owner : undefined;
  const isHeard = held !== undefined && members.heard(held.member, held.incarnation);
  const state = summary.state === "connected" && !isHeard ? "disconnected" : summary.state;
  const { since, name, phone, lastError } = summary;
  return { id, tenant, platform, state, since, member: held?.member ?? "", slot, name, phone, label, lastError };
}
