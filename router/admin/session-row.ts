import type { Platform } from "../../shared/contract/platform.js";
import type { Count, Instant } from "../../shared/contract/plain-values.js";
import type { SessionId } from "../../shared/contract/ids.js";
import type { TenantLife } from "../../shared/contract/tenant.js";
import type { MemberWatch } from "../../shared/cluster/member-watch.js";
import type { SlotOwner } from "../../shared/cluster/ownership.js";
import type { SessionSummary } from "../../shared/session/summary.js";
import { isActive } from "../sessions/session-reader.js";

/** One session. Strings are empty if there is no value. */
export interface SessionRow {
  /** Id of the session, 24 hex digits. */
  id: string;
  /** Tenant of the session. */
  tenant: string;
  /** Platform of the session. */
  platform: Platform;
  /** State of the session. */
  state: SessionSummary["state"];
  /** Time of the last change of state. */
  since: Instant;
  /** Shard of the session. Empty if no shard owns it. */
  member: string;
  /** Slot of the session, 0 to 4095. A slot moves with all of its sessions. */
  slot: Count;
  /** Name of the account. */
  name: string;
  /** Phone number of the account. */
  phone: string;
  /** Label of the session. */
  label: string;
  /** Last error. */
  lastError: string;
  /** When the platform's restriction of the account ends. Empty without a restriction. */
  restrictedUntil: string;
  /** Age of the oldest pending event in seconds. 0 if none is pending. */
  webhookLag: Count;
}

/** The parts of a session's record for a row. */
export interface RowRecord extends TenantLife {
  readonly id: SessionId;
  readonly platform: Platform;
  readonly label: string;
  readonly stamp: string;
  readonly summary: SessionSummary;
}

/** A row without the age of its queued events. */
export type FoundRow = Omit<SessionRow, "webhookLag" | "id" | "tenant"> & Pick<RowRecord, "id" | "tenant">;

/**
 * Returns a row as this router sees it: a session counts as connected only while a living owner confirms it and has recently reported.
 * Pure.
 */
export function sessionRow(
  { id, platform, tenant, label, stamp, summary }: RowRecord,
  slot: number,
  owner: SlotOwner | undefined,
  members: Pick<MemberWatch, "lives" | "isResponsive">,
  now = Date.now(),
): FoundRow {
  const held = isActive(stamp, owner, members) ? owner : undefined;
  const isResponsive = held !== undefined && members.isResponsive(held.member, held.incarnation);
  const state = summary.state === "connected" && !isResponsive ? "disconnected" : summary.state;
  const { since, name, phone, lastError, restrictedUntil: until = "" } = summary;
  const restrictedUntil = Date.parse(until) > now ? until : "";
  return { id, tenant, platform, state, since, member: held?.member ?? "", slot, name, phone, label, lastError, restrictedUntil };
}
