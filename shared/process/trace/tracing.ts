/** No secret, no number and no text of a caller is an attribute. */
export type SpanAttributes = Readonly<Record<string, string | number>>;

export interface SpanPlan {
  readonly name: string;
  readonly kind: "server" | "client" | "consumer";
  readonly attributes: SpanAttributes;
  /**
   * Parent: a `traceparent` of another process, which may be malformed, or a new trace with
   * `traceId` if that is valid. If absent, the current span is the parent.
   */
  readonly under?: { readonly traceparent: string | undefined; readonly traceId?: string };
}

/** A piece of work in a trace. */
export interface Span {
  /** Header value for processes that do a part of the work. */
  readonly traceparent: string;
  /** Spans started within `work` become children of this span, also after awaits. */
  run<T>(work: () => T): T;
  set(attributes: SpanAttributes): void;
  /** Once. */
  end(failed: boolean): void;
}

/** Makes spans; absent if no endpoint for spans is set. */
export interface Tracing {
  start(plan: SpanPlan): Span;
}

/** Runs `work` under a span of its own, and fails as `work` does. */
export async function traced<T>(tracing: Tracing, plan: SpanPlan, work: (span: Span) => Promise<T>): Promise<T> {
  const span = tracing.start(plan);
  let failed = true;
  try {
    const result = await span.run(() => work(span));
    failed = false;
    return result;
  } finally {
    span.end(failed);
  }
}
