import { isDefaultEventType } from "../../shared/contract/webhook-events.js";
import type { Operation } from "./document-types.js";
import type { JsonSchema, Schemas } from "./json-schema.js";
import * as ofSession from "./session-events.js";
import type { NamedShapes, Shapes } from "./shapes.js";
import * as telegram from "./telegram/events.js";
import { eventShapes as telegramShapes } from "./telegram/shapes.js";
import { sentByDefault, sentIfListed, webhooksOf } from "./webhook-operation.js";
import * as whatsapp from "./whatsapp/events.js";
import { eventShapes as whatsappShapes } from "./whatsapp/shapes.js";

/** Parts of the document that describe bodies of webhook requests. */
export const eventParts: readonly NamedShapes[] = [
  { prefix: "WhatsAppEvent", shapes: whatsappShapes },
  { prefix: "TelegramEvent", shapes: telegramShapes },
  { prefix: "SessionEvent", shapes: ofSession.eventShapes },
];

/** An example of each body, by component. */
export const allEvents = { ...whatsapp.eventExamples, ...telegram.eventExamples, ...ofSession.eventExamples };

/** Returns the webhook operations. */
export function webhooks(): Readonly<Record<string, Readonly<Record<string, Operation>>>> {
  const sent = (type: string): string => (isDefaultEventType(type) ? sentByDefault : sentIfListed(type));
  return {
    ...webhooksOf({
      tag: "WhatsApp events",
      prefix: "whatsapp.",
      summaries: whatsapp.eventSummaries,
      examples: whatsapp.eventExamples,
      sent,
    }),
    ...webhooksOf({ tag: "Telegram events", prefix: "", summaries: telegram.eventSummaries, examples: telegram.eventExamples, sent }),
    ...webhooksOf({
      tag: "Session events",
      prefix: "",
      summaries: ofSession.eventSummaries,
      examples: ofSession.eventExamples,
      sent: (type) => (type === "test" ? "The gateway sends test events whatever `events` lists." : sentIfListed(type)),
    }),
  };
}

/** Returns the schemas of the event bodies as components. */
export function eventComponents(shapes: readonly Shapes[]): Schemas {
  const schemas = shapes.flatMap(({ replies }) => Object.entries(replies));
  return Object.fromEntries(
    schemas.map(([name, schema]): [string, JsonSchema] => [name, { description: "Body of a webhook request.", ...schema }]),
  );
}
