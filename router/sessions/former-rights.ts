import type { SessionId } from "../../shared/contract/ids.js";
import type { StoredRight } from "./session-records.js";

/** About 3 MiB. */
const rightsMax = 10_000;

/**
 * Rights of sessions whose callers this process has admitted. They outlast the session, so that its owner is not taken for a guesser. The
 * oldest entry is evicted first and returns with its next caller.
 */
export class FormerRights {
  private readonly rights = new Map<SessionId, StoredRight>();

  constructor(private readonly most = rightsMax) {}

  /** Stores the right that a caller has proved. */
  remember(id: SessionId, { secretHash, tenant, incarnation }: StoredRight): void {
    if (this.rights.has(id)) return;
    this.rights.set(id, { secretHash, tenant, incarnation });
    const [first] = this.rights.keys();
    if (this.rights.size > this.most && first !== undefined) this.rights.delete(first);
  }

  get(id: SessionId): StoredRight | undefined {
    return this.rights.get(id);
  }
}
