import { randomBytes } from "node:crypto";
import type { SessionEventData, SessionStateData } from "../../shared/contract/session-events.js";
import type { EventType, SessionEventType } from "../../shared/contract/webhook-events.js";
import type { Log } from "../../shared/log/logger.js";
import { lifetimeMs, type DeletionReason, type SessionState } from "../../shared/session/state.js";
import type { Restriction } from "../../shared/session/stored-health.js";
import type { UpdateEvent } from "./session-context.js";

export interface SessionEventsOptions {
  readonly requested: () => ReadonlySet<EventType> | Promise<ReadonlySet<EventType>>;
  /** Durable before it resolves. */
  readonly append: (event: UpdateEvent) => Promise<void>;
  readonly log: Log;
}

/** Reports changes of the session itself to its webhook. A report that cannot be stored is dropped: it must not stop the change. */
export class SessionEvents {
  constructor(private readonly options: SessionEventsOptions) {}

  /** Reports a stored change. `lastError` is the reason of a lost connection. */
  async changed(before: SessionState, after: SessionState, lastError: string): Promise<void> {
    const state = nameOf(after);
    if (state !== nameOf(before)) await this.report("session.state", { state, reason: reasonOf(after, lastError) });
    const remainingMs = dueWarning(before, after);
    if (remainingMs !== undefined) await this.report("session.expiring", { expires: new Date(Date.now() + remainingMs).toISOString() });
  }

  /**
   * Reports that the platform restricted the account; `undefined`: no longer. Returns false if the event could not be stored. It may then
   * be reported again under the same id.
   */
  async restricted(restriction: Pick<Restriction, "reason" | "until"> | undefined, id: string): Promise<boolean> {
    const reported =
      restriction === undefined
        ? await this.report("session.unrestricted", { reason: "", until: "" }, id)
        : await this.report("session.restricted", { reason: restriction.reason, until: restriction.until }, id);
    return reported !== "failed";
  }

  /** Reports a deletion before it happens, because the waiting events are deleted with the session. Returns true if there is an event. */
  async deleting(reason: DeletionReason): Promise<boolean> {
    return (await this.report("session.state", { state: "deleted", reason: deletions[reason] })) === "stored";
  }

  private async report<T extends SessionEventType>(
    type: T,
    data: SessionEventData[T],
    id = randomBytes(32).toString("hex"),
  ): Promise<"stored" | "not requested" | "failed"> {
    try {
      if (!(await this.options.requested()).has(type)) return "not requested";
      await this.options.append({ id, type, created: new Date().toISOString(), data });
      return "stored";
    } catch (error) {
      this.options.log.warn({ err: error, type }, "session event not stored");
      return "failed";
    }
  }
}

/** Returns the milliseconds until the deletion if one of the warnings is due with this change. */
export function dueWarning(before: SessionState, after: SessionState): number | undefined {
  const [remaining, former] = [remainingMs(after), after.kind === before.kind ? remainingMs(before) : undefined];
  const limit = lifetimeMs(after);
  if (remaining === undefined || limit === undefined) return undefined;
  return warningsMs.some((ms) => limit >= ms && remaining <= ms && (former === undefined || former > ms)) ? remaining : undefined;
}

function remainingMs(state: SessionState): number | undefined {
  const limit = lifetimeMs(state);
  return limit === undefined || !("elapsedMs" in state) ? undefined : Math.max(0, limit - state.elapsedMs);
}

function nameOf({ kind }: SessionState): SessionStateData["state"] {
  return kind === "awaiting-qr" || kind === "awaiting-password" ? "awaiting" : kind;
}

function reasonOf(state: SessionState, lastError: string): string {
  if (state.kind === "disconnected") return lastError;
  return state.kind === "awaiting-qr" ? "the account is logged out" : "";
}

const deletions: Readonly<Record<DeletionReason, string>> = {
  owner: "deleted by its owner",
  "qr-expired": "the code was not scanned in time",
  "password-expired": "the password was not entered in time",
  "disconnected-too-long": "disconnected for too long",
};

const warningsMs = [30 * 60_000, 5 * 60_000];
