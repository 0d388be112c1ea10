import type { TenantName } from "../../shared/contract/tenant.js";
import type { EventType } from "../../shared/contract/webhook-events.js";
import type { Log } from "../../shared/log/logger.js";
import type { UnreadableRecord } from "../../shared/session/unreadable-record.js";
import type { DeliveryOutcome } from "./live-events/delivery-tally.js";
import type { Fence, WebhookPort } from "./session-context.js";
import type { SessionOutbox } from "./store/session-outbox.js";

export interface DeliveryOptions {
  readonly tenant: TenantName;
  readonly outbox: SessionOutbox;
  readonly fence: Fence;
  readonly onFenced: () => void;
  /** Called when the settings or the key of the events do not open. The events wait until they do. */
  readonly onUnreadable: (record: UnreadableRecord) => void;
  /** Reports the outcome to operators. */
  readonly onOutcome: (outcome: DeliveryOutcome, events: number) => void;
  readonly log: Log;
}

/** Delivers the events of one session to its webhook. */
export interface EventDelivery extends WebhookPort {
  /** Starts to deliver the waiting events. */
  wake(): void;
  /** Called when events were added to the outbox. `overflowed` counts the oldest events that became dead letters to make room. */
  appended(overflowed: number): void;
  /** Returns the types of events that the receiver gets; none while the webhook is off. A promise only while the settings are read. */
  requestedTypes(): ReadonlySet<EventType> | Promise<ReadonlySet<EventType>>;
  /** Age in seconds of the oldest waiting event that this process knows; 0 when none waits. */
  readonly oldestSeconds: number;
  /** Resolves when no event waits, or after 3 s. */
  drained(): Promise<void>;
  close(): Promise<void>;
}
