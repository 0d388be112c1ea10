import type { SessionId } from "../../shared/contract/ids.js";
import type { OfTenant } from "../../shared/contract/tenant.js";
import type { StoredAuditRow } from "../../shared/cluster/audit/audit-row.js";
import type { AuditWriter } from "../../shared/cluster/audit/audit-writer.js";
import type { DeletionReason } from "../../shared/session/state.js";
import type { Takeover } from "./takeovers.js";

/** Writes audit entries for what this shard does without a request. */
export class ClusterAudit {
  constructor(
    private readonly writer: Pick<AuditWriter, "add">,
    private readonly member: string,
  ) {}

  /** Writes one entry for each member that died, however many slots it held. */
  takenOver({ member, slots, sessions }: Takeover): void {
    this.add({ what: "take-over", target: member, count: slots, sessions });
  }

  /** Records that a timer has moved the session to the trash, which is emptied after a day. */
  expired({ id, tenant, incarnation }: OfTenant & { readonly id: SessionId }, reason: Exclude<DeletionReason, "owner">): void {
    this.add({ what: "expire-session", target: reason, tenant, incarnation, session: id });
  }

  private add(row: Pick<StoredAuditRow, "what" | "target"> & Partial<StoredAuditRow>): void {
    const empty = { tenant: "", session: "", requestId: "", count: 1 };
    this.writer.add({ at: new Date().toISOString(), who: "cluster", ...empty, from: this.member, status: 200, ...row });
  }
}
