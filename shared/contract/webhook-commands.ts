import { row } from "./command-row.js";
import type { DeadLetterPage, DeadLetterQuery, ReplayOutput } from "./dead-letters.js";
import { outcomeUnknown, sessionNotConnected } from "./errors.js";
import type { Empty, SessionReference, WebhookSettings } from "./session.js";
import type { RetryOutput, TestEventOutput } from "./webhook-trial.js";

/** Endpoints for a session's webhook, the same on every platform. */
export const webhookEndpoints = {
  /** Repeating the same settings changes nothing. Has a lane of its own, so that a long upload does not delay it. The token is a secret. */
  "set-webhook": row<WebhookSettings, SessionReference>({
    class: "send",
    lane: "webhook",
    deadlineMs: 15_000,
    late: outcomeUnknown,
    needsConnection: false,
    changesRecord: true,
    isMessage: false,
    isAudited: true,
    session: "finds",
  }),
};

/** Commands for a webhook without an endpoint of their own. */
export const webhookInternals = {
  "list-dead-letters": row<DeadLetterQuery, DeadLetterPage>({
    class: "read",
    lane: "read",
    deadlineMs: 15_000,
    late: sessionNotConnected,
    needsConnection: false,
    changesRecord: false,
    isMessage: false,
    isAudited: false,
    session: "finds",
  }),
  /** Sends the oldest pending event at once. */
  "retry-webhook": row<Empty, RetryOutput>({
    class: "read",
    lane: "webhook",
    deadlineMs: 15_000,
    late: sessionNotConnected,
    needsConnection: false,
    changesRecord: false,
    isMessage: false,
    isAudited: false,
    session: "finds",
  }),
  /** The event has the id of the command, so a retry adds no second event. */
  "send-test-event": row<Empty, TestEventOutput>({
    class: "send",
    lane: "webhook",
    deadlineMs: 15_000,
    late: outcomeUnknown,
    needsConnection: false,
    changesRecord: false,
    isMessage: false,
    isAudited: false,
    session: "finds",
  }),
  /** A replayed event is no longer a dead letter, so a retry replays nothing twice. */
  "replay-dead-letters": row<Empty, ReplayOutput>({
    class: "send",
    lane: "webhook",
    deadlineMs: 15_000,
    late: outcomeUnknown,
    needsConnection: false,
    changesRecord: false,
    isMessage: false,
    isAudited: false,
    session: "finds",
  }),
};
