import type { SessionId } from "../../shared/contract/ids.js";
import { FairShares } from "../../shared/flow/fair-shares.js";

/** Most commands in flight on this router, over all sessions. */
const inFlightMax = 5_000;
/** A session with at most this many commands in flight waits for room in a full stream. A session with more gets 503 at once. */
const patientCommands = 8;
/** The same time as in `Retry-After`. */
const refusedMs = 1_000;

/**
 * Counts the commands in flight in total and per session, and remembers which sessions their shard has just rejected for their own load.
 */
export class SessionLoad {
  private readonly commands = new FairShares(() => inFlightMax);
  /** Sessions rejected within the last second. */
  private readonly full = new Set<SessionId>();

  /** Counts a command until the returned function is called. */
  enter(session: SessionId): () => void {
    return this.commands.take(session);
  }

  isCrowded(session: SessionId): boolean {
    return this.commands.held(session) > patientCommands;
  }

  /** Returns whether to reject a command here. A session that its shard has just rejected costs that shard nothing until the retry time. */
  refuses(session: SessionId): boolean {
    return this.commands.total >= inFlightMax || (this.full.has(session) && this.isCrowded(session));
  }

  refused(session: SessionId): void {
    if (this.full.has(session)) return;
    this.full.add(session);
    setTimeout(() => this.full.delete(session), refusedMs).unref();
  }
}
