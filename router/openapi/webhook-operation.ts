import type { Operation, Parameter } from "./document-types.js";
import { refTo } from "./json-schema.js";
import type { TagName } from "./tags.js";

/** The component of each event's body, and what happened in words. */
export type EventSummaries<Type extends string, Name extends string> = { readonly [T in Type]: readonly [name: Name, summary: string] };

/** Fields of every example. */
export const eventHead = {
  id: "4c9081450baa7a3091f72e55209b26c85c64ad02cf27f4c420fdcc89ff78aedf",
  session: "6b01aa5342b4f53c9f4c7e33",
  created: "2026-11-21T14:27:39.000Z",
};

export interface EventGroup<Type extends string, Name extends string> {
  readonly tag: TagName;
  /** Put before each type, because two platforms have events of the same type. */
  readonly prefix: "" | "whatsapp.";
  readonly summaries: EventSummaries<Type, Name>;
  readonly examples: Readonly<Record<Name, unknown>>;
  /** Says when the gateway sends events of this type. */
  readonly sent: (type: Type) => string;
}

/** Returns the webhook operations of one group of events. */
export function webhooksOf<Type extends string, Name extends string>({
  tag,
  prefix,
  summaries,
  examples,
  sent,
}: EventGroup<Type, Name>): Record<string, Record<string, Operation>> {
  const types = Object.keys(summaries) as Type[];
  return Object.fromEntries(
    types.map((type) => {
      const [name, summary] = summaries[type];
      const example = { summary, value: examples[name] };
      const operation: Operation = {
        operationId: `on${name}`,
        tags: [tag],
        summary,
        description: `${summary}. ${sent(type)}`,
        ...received,
        requestBody: { required: true, content: { "application/json": { schema: refTo(name), examples: { [type]: example } } } },
      };
      return [`${prefix}${type}`, { post: operation }];
    }),
  );
}

/** Says how the gateway sends events that receivers get by default. */
export const sentByDefault =
  "The gateway sends events of private chats to the URL from `PUT /session/webhook`: at least once, and in order for each session.";

/** Says how the gateway sends an event that is not among the default ones. */
export const sentIfListed = (type: string): string =>
  `The gateway sends this event if \`events\` of \`PUT /session/webhook\` lists \`${type}\`: at least once, and in order for each session.`;

function header(name: string, description: string, example: string): Parameter {
  return { name, in: "header", required: true, description, schema: { type: "string" }, example };
}

const received: Pick<Operation, "security" | "parameters" | "responses"> = {
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
