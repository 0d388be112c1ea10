import type { WebhookReceiver } from "./webhook-receiver.js";

/** A span as an OTLP endpoint receives it. */
export interface ReceivedSpan {
  readonly service: string;
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for a trace's root span. */
  readonly parentSpanId: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** True if the span's work failed. */
  readonly failed: boolean;
}

interface Value {
  readonly stringValue?: string;
  readonly intValue?: number;
}
interface Attribute {
  readonly key: string;
  readonly value: Value;
}
interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly (Omit<ReceivedSpan, "service" | "attributes" | "failed" | "parentSpanId"> & {
        readonly parentSpanId?: string;
        readonly attributes: readonly Attribute[];
        readonly status: { readonly code: number };
      })[];
    }[];
  }[];
}

/** Returns all spans that a server received as OTLP over HTTP with JSON. */
export function receivedSpans({ requests }: Pick<WebhookReceiver, "requests">): ReceivedSpan[] {
  const exports = requests.map(({ body }) => JSON.parse(body.toString()) as Export);
  return exports.flatMap(({ resourceSpans }) =>
    resourceSpans.flatMap(({ resource, scopeSpans }) => {
      const service = String(attributesOf(resource.attributes)["service.name"]);
      return scopeSpans.flatMap(({ spans }) =>
        spans.map(({ name, traceId, spanId, parentSpanId = "", attributes, status }) => ({
          ...{ service, name, traceId, spanId, parentSpanId },
          attributes: attributesOf(attributes),
          failed: status.code === 2,
        })),
      );
    }),
  );
}

function attributesOf(list: readonly Attribute[]): Record<string, unknown> {
  return Object.fromEntries(list.map(({ key, value }) => [key, value.stringValue ?? value.intValue]));
}
