import type { Instant } from "./plain-values.js";
import type { SessionEventType } from "./webhook-events.js";
import type { TestData } from "./webhook-trial.js";

/** Body of a webhook request about the session itself. It is the same on every platform. */
export interface SessionEventBody<Type extends SessionEventType | "test" = SessionEventType | "test"> {
  /** Id of the event. Retries have the same id, so a receiver can skip events that it has seen. */
  id: string;
  /** What happened. */
  type: Type;
  /** Id of the session. */
  session: string;
  /** Time of the event on the gateway's clock. */
  created: Instant;
  /** Data of the event. */
  data: SessionEventData[Type];
}

export interface SessionEventData {
  "session.state": SessionStateData;
  "session.expiring": SessionExpiringData;
  "session.restricted": SessionRestrictedData;
  "session.unrestricted": SessionRestrictedData;
  test: TestData;
}

/** The session's new state. */
export interface SessionStateData {
  /** `awaiting`: a person has to scan, confirm or enter something. */
  state: "connected" | "disconnected" | "awaiting" | "deleted";
  /** Why the state changed, in words. Empty if there is no reason to name. */
  reason: string;
}

/** A session that the gateway is about to delete. The event comes 30 and 5 minutes before the deletion. */
export interface SessionExpiringData {
  /** Time of the deletion. The gateway keeps the session if it connects before this time. */
  expires: Instant;
}

/** The platform restricted the account, or the restriction has ended. */
export interface SessionRestrictedData {
  /** Why the platform restricts the account, in words. Empty when the restriction has ended. */
  reason: string;
  /** When the restriction ends, as far as the platform named it. Empty when it has ended. */
  until: string;
}
