import type { SessionId } from "../../shared/contract/ids.js";
import { FairShares } from "../../shared/flow/fair-shares.js";

/** Commands of all sessions that wait for their outcome. */
const inFlightMax = 5_000;
/** A session with at most so many commands here waits for room in a stream that others have filled; one with more reads that it is full. */
const patientCommands = 8;
/** As `Retry-After` says. */
const refusedMs = 1_000;

/** How many commands wait here, of all sessions and of each, and which sessions their shard has just refused for their own load. */
export class SessionLoad {
  private readonly commands = new FairShares(() => inFlightMax);
  /** As many as are refused within a second. */
  private readonly full = new Set<SessionId>();

  /** Counts a command until the returned function is called. */
  enter(session: SessionId): () => void {
    return this.commands.take(session);
  }

  isCrowded(session: SessionId): boolean {
    return this.commands.held(session) > patientCommands;
  }

  /** A session that its shard has refused was told when to come again: until then its refusals cost no shard anything. */
  refuses(session: SessionId): boolean {
    return this.commands.total >= inFlightMax || (this.full.has(session) && this.isCrowded(session));
  }

  refused(session: SessionId): void {
    if (this.full.has(session)) return;
    this.full.add(session);
    setTimeout(() => this.full.delete(session), refusedMs).unref();
  }
}
