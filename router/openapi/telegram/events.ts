import type { WebhookEventType } from "../../../shared/contract/telegram/webhook-body.js";
import type { Operation, Parameter } from "../document-types.js";
import { refTo, type Schemas } from "../json-schema.js";
import type { Events } from "./types.js";

/** Components of the events' bodies. */
export type EventName = keyof Events;

const chat = {
  id: "5100000001",
  name: "Bob Builder",
  username: "bob_sandbox",
  phone: "15550100002",
  thumbnail:
    "http://127.0.0.1:8080/telegram/media/6b01aa5342b4f53c9f4c7e33/5100000001/1000005100000001/profile/aMRPs_xo-ih48G4fvZlB9hLk9rUY.jpg",
};
const message = {
  id: "301",
  chat,
  fromMe: false,
  type: "location",
  text: "Hello 👋, see the list",
  entities: [
    { type: "text_mention", offset: 0, length: 5, user: "5100000002" },
    { type: "custom_emoji", offset: 6, length: 2, emoji: "5368324170671202286" },
    { type: "pre", offset: 10, length: 3, language: "ts" },
    { type: "text_link", offset: 14, length: 8, url: "https://example.org/" },
  ],
  albumId: "",
  created: "2026-11-21T14:27:39.000Z",
  edited: "",
  replyTo: "300",
  url: "",
  thumbnail: "",
  mimetype: "",
  name: "",
  size: 0,
  duration: 0,
  width: 0,
  height: 0,
  voice: false,
  round: false,
  animation: false,
  title: "",
  performer: "",
  location: { latitude: 48.2082, longitude: 16.3738, name: "Shop", address: "Stephansplatz 1, Vienna" },
} satisfies Events["NewMessageEvent"]["data"];
const head = {
  id: "4c9081450baa7a3091f72e55209b26c85c64ad02cf27f4c420fdcc89ff78aedf",
  session: "6b01aa5342b4f53c9f4c7e33",
  created: "2026-11-21T14:27:39.000Z",
};

/** An example of each event. */
export const eventExamples: Events = {
  NewMessageEvent: { ...head, type: "message.new", data: message },
  EditedMessageEvent: {
    ...head,
    type: "message.edited",
    data: { ...message, type: "contact", edited: "2026-11-21T14:28:00.000Z", contact: { name: "Carol", phone: "15550100003" } },
  },
  DeletedMessagesEvent: { ...head, type: "message.deleted", data: { chat, ids: ["301"] } },
  ReadMessagesEvent: { ...head, type: "message.read", data: { chat, until: "300", by: "them" } },
  TestEvent: { ...head, type: "test", data: { text: "This is a test event. Nothing happened." } },
};

const summaries: { readonly [Type in WebhookEventType]: readonly [EventName, string] } = {
  "message.new": ["NewMessageEvent", "Message received, or sent from another device of the account"],
  "message.edited": ["EditedMessageEvent", "Message edited"],
  "message.deleted": ["DeletedMessagesEvent", "Messages deleted"],
  "message.read": ["ReadMessagesEvent", "Messages read"],
  test: ["TestEvent", "Test event requested"],
};

/** Returns the webhook operations. `shapes` has the schemas of the bodies. */
export function webhooks(): Readonly<Record<string, Readonly<Record<string, Operation>>>> {
  return Object.fromEntries(
    Object.entries(summaries).map(([type, [name, summary]]) => [type, { post: { ...received, ...sent(type, name, summary) } }]),
  );
}

function sent(type: string, name: EventName, summary: string): Pick<Operation, "operationId" | "summary" | "description" | "requestBody"> {
  const example = { summary, value: eventExamples[name] };
  return {
    operationId: `on${name}`,
    summary,
    description: `${summary}. The gateway sends events of private chats to the URL from \`PUT /session/webhook\`: at least once, and in order for each session.`,
    requestBody: { required: true, content: { "application/json": { schema: refTo(name), examples: { [type]: example } } } },
  };
}

function header(name: string, description: string, example: string): Parameter {
  return { name, in: "header", required: true, description, schema: { type: "string" }, example };
}

const received: Pick<Operation, "tags" | "security" | "parameters" | "responses"> = {
  tags: ["Telegram events"],
  security: [],
  parameters: [
    header("x-token", "Token from the webhook settings. Compare it in constant time, or verify the signature.", "s3cret"),
    header("webhook-id", "Id of the event. Retries have the same id.", "4c9081450baa7a3091f72e55209b26c85c64ad02cf27f4c420fdcc89ff78aedf"),
    header("webhook-timestamp", "Unix time of this attempt in seconds. Reject requests older than 5 minutes.", "1795271259"),
    header(
      "webhook-signature",
      "`v1,` and the base64 of HMAC-SHA256 with the token over `<webhook-id>.<webhook-timestamp>.<body>`, as in Standard Webhooks.",
      "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
    ),
    header(
      "x-request-id",
      "Id of the delivery, 32 hex digits. Retries have the same id. Replayed events and test events have the `x-request-id` of the request that started them.",
      "4bf92f3577b34da6a3ce929d0e0e4736",
    ),
    header(
      "traceparent",
      "Trace of the delivery, with a span for this attempt (W3C Trace Context).",
      "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
    ),
  ],
  responses: {
    "2XX": { description: "The receiver accepted the event. The gateway waits 10 seconds for the status line." },
    default: {
      description:
        "The gateway retries after 1, 2, 5, 15, 30, 60 and 120 s, then doubles the wait up to 15 minutes. After 100 attempts or 24 hours the event has failed permanently. The gateway follows `Retry-After` up to an hour, and does not follow redirects.",
    },
  },
};

/** Returns the schemas of the event bodies as components. */
export function eventComponents(schemas: Schemas): Schemas {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, { description: "Body of a webhook request.", ...schema }]),
  );
}
