import { row } from "./command-row.js";
import type { DeadLetterPage, DeadLetterQuery, ReplayOutput } from "./dead-letters.js";
import { outcomeUnknown, sessionNotConnected } from "./errors.js";
import type { Empty, SessionReference, WebhookSettings } from "./session.js";
import type { RetryOutput, TestEventOutput } from "./webhook-trial.js";

/** Endpoints of a session's webhook, the same on every platform that has one. */
export const webhookEndpoints = {
  /** A repeat of the same settings changes nothing. A receiver is changed also while a film is being sent: the lane is its own. The token is a secret. */
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

/** Commands of a webhook without an endpoint of their own. */
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
  /** The oldest event that waits is tried at once. */
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
  /** Its event has the id of the command: a repeat adds nothing. */
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
  /** What was replayed is no dead letter any more: a repeat finds nothing. */
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
