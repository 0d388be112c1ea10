import typia from "typia";
import type { SessionEventBody, SessionEventData } from "../../shared/contract/session-events.js";
import { shapesOf } from "./shapes.js";
import { eventHead as head, type EventSummaries } from "./webhook-operation.js";

/** Webhook body of each event. */
interface Events {
  SessionStateEvent: Event<"session.state">;
  SessionExpiringEvent: Event<"session.expiring">;
  TestEvent: Event<"test">;
}

type Event<Type extends keyof SessionEventData> = { [Name in keyof SessionEventBody<Type>]: SessionEventBody<Type>[Name] };

/** Schemas of the webhook bodies. */
export const eventShapes = shapesOf(typia.json.schemas<[Events]>());

/** An example of each event. */
export const eventExamples: Events = {
  SessionStateEvent: { ...head, type: "session.state", data: { state: "disconnected", reason: "login was ended by the platform" } },
  SessionExpiringEvent: { ...head, type: "session.expiring", data: { expires: "2026-11-21T14:57:39.000Z" } },
  TestEvent: { ...head, type: "test", data: { text: "This is a test event. Nothing happened." } },
};

export const eventSummaries: EventSummaries<keyof SessionEventData, keyof Events> = {
  "session.state": ["SessionStateEvent", "Session connected, disconnected, waiting for a person, or deleted"],
  "session.expiring": ["SessionExpiringEvent", "Session will be deleted in 30 or 5 minutes"],
  test: ["TestEvent", "Test event requested"],
};
