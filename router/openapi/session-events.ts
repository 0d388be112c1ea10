import typia from "typia";
import type { SessionEventBody, SessionEventData } from "../../shared/contract/session-events.js";
import { shapesOf } from "./shapes.js";
import { eventHead as head, type EventSummaries } from "./webhook-operation.js";

/** Webhook body of each event. */
interface Events {
  SessionStateEvent: Event<"session.state">;
  SessionExpiringEvent: Event<"session.expiring">;
  SessionRestrictedEvent: Event<"session.restricted">;
  SessionUnrestrictedEvent: Event<"session.unrestricted">;
  TestEvent: Event<"test">;
}

type Event<Type extends keyof SessionEventData> = { [Name in keyof SessionEventBody<Type>]: SessionEventBody<Type>[Name] };

/** Schemas of the webhook bodies. */
export const eventShapes = shapesOf(typia.json.schemas<[Events]>());

/** An example of each event. */
export const eventExamples: Events = {
  SessionStateEvent: { ...head, type: "session.state", data: { state: "disconnected", reason: "login was ended by the platform" } },
  SessionExpiringEvent: { ...head, type: "session.expiring", data: { expires: "2026-11-21T14:57:39.000Z" } },
  SessionRestrictedEvent: {
    ...head,
    type: "session.restricted",
    data: { reason: "WhatsApp locked new chats (BIZ_QUALITY)", until: "2026-11-23T14:27:39.000Z" },
  },
  SessionUnrestrictedEvent: { ...head, type: "session.unrestricted", data: { reason: "", until: "" } },
  TestEvent: { ...head, type: "test", data: { text: "This is a test event. Nothing happened." } },
};

export const eventSummaries: EventSummaries<keyof SessionEventData, keyof Events> = {
  "session.state": ["SessionStateEvent", "Session connected, disconnected, waiting for a person, or deleted"],
  "session.expiring": ["SessionExpiringEvent", "Session will be deleted in 30 or 5 minutes"],
  "session.restricted": ["SessionRestrictedEvent", "Platform restricted the account, which can no longer write first to people"],
  "session.unrestricted": ["SessionUnrestrictedEvent", "Restriction of the account ended"],
  test: ["TestEvent", "Test event requested"],
};
