import type { SessionId } from "../../shared/contract/ids.js";
import type { OfTenant } from "../../shared/contract/tenant.js";
import type { StoredAuditRow } from "../../shared/cluster/audit/audit-row.js";
import type { AuditWriter } from "../../shared/cluster/audit/audit-writer.js";
import type { DeletionReason } from "../../shared/session/state.js";
import type { Takeover } from "./takeovers.js";

/** What this shard does that nobody asked it for goes on record beside what callers asked for. */
export class ClusterAudit {
  constructor(
    private readonly writer: Pick<AuditWriter, "add">,
    private readonly member: string,
  ) {}

  /** One row for a member that died, however many slots and sessions came of it. */
  takenOver({ member, slots, sessions }: Takeover): void {
    this.add({ what: "take-over", target: member, count: slots, sessions });
  }

  /** A timer has moved the session to the trash, which forgets it after a day. */
  expired({ id, tenant, incarnation }: OfTenant & { readonly id: SessionId }, reason: Exclude<DeletionReason, "owner">): void {
    this.add({ what: "expire-session", target: reason, tenant, incarnation, session: id });
  }

  private add(row: Pick<StoredAuditRow, "what" | "target"> & Partial<StoredAuditRow>): void {
    const empty = { tenant: "", session: "", requestId: "", count: 1 };
    this.writer.add({ at: new Date().toISOString(), who: "cluster", ...empty, from: this.member, status: 200, ...row });
  }
}
