import type { SessionId } from "../../shared/contract/ids.js";
import type { StoredRight } from "./session-records.js";

/** Some 3 MiB. */
const rightsMax = 10_000;

/**
 * Who may use the sessions that this process has admitted callers to. It outlasts a session, so that its owner, who asks on after it is gone, is told from
 * somebody who guesses. Bounded: the one that was met first makes room, and is back with its next caller.
 */
export class FormerRights {
  private readonly rights = new Map<SessionId, StoredRight>();

  constructor(private readonly most = rightsMax) {}

  /** The last caller of a session proved this right. */
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
