import { AsyncLocalStorage } from "node:async_hooks";
import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Context,
  type Span as SdkSpan,
  type Tracer,
} from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  RandomIdGenerator,
  type IdGenerator,
  type ReadableSpan,
  type SpanExporter,
} from "@opentelemetry/sdk-trace-base";
import { endsWithin } from "../../flow/ends-within.js";
import { version } from "../version.js";
import { spanCounts } from "./span-counts.js";
import { formatTraceparent, isTraceId, parseTraceparent } from "./traceparent.js";
import type { Span, SpanAttributes, SpanPlan, Tracing } from "./tracing.js";

/** Most milliseconds for the last flush. */
const flushMs = 2_000;

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER } as const;

/**
 * Sends spans with the official SDK, which reads its own `OTEL_…` variables. Its queue holds 2,048
 * spans and drops more. No work waits for it; its errors are only counted.
 */
export class OpenTelemetry implements Tracing {
  private readonly ids = new GivenIds();
  private readonly provider: BasicTracerProvider;
  private readonly tracer: Tracer;
  /** Span of the current asynchronous context. */
  private readonly active = new AsyncLocalStorage<Context>();

  constructor(role: "router" | "shard", name: string, url: string) {
    const own = { "service.name": `trunkline-${role}`, "service.instance.id": name, "service.version": version };
    this.provider = new BasicTracerProvider({
      resource: resourceFromAttributes(own).merge(detectResources({ detectors: [envDetector] })),
      idGenerator: this.ids,
      spanProcessors: [new BatchSpanProcessor(counting(new OTLPTraceExporter({ url })))],
    });
    this.tracer = this.provider.getTracer("trunkline");
  }

  start({ name, kind, attributes, under }: SpanPlan): Span {
    const context = under === undefined ? (this.active.getStore() ?? ROOT_CONTEXT) : contextOf(under.traceparent);
    this.ids.next = under?.traceId;
    const span = this.tracer.startSpan(name, { kind: kinds[kind], attributes }, context);
    this.ids.next = undefined;
    return new RunningSpan(span, this.active, trace.setSpan(context, span));
  }

  /** Never rejects. */
  async stop(): Promise<void> {
    await endsWithin(this.provider.shutdown(), flushMs);
  }
}

class RunningSpan implements Span {
  constructor(
    private readonly span: SdkSpan,
    private readonly active: AsyncLocalStorage<Context>,
    private readonly context: Context,
  ) {}

  get traceparent(): string {
    const { traceId, spanId, traceFlags } = this.span.spanContext();
    return formatTraceparent({ traceId, spanId, sampled: (traceFlags & TraceFlags.SAMPLED) !== 0 });
  }

  run<T>(work: () => T): T {
    return this.active.run(this.context, work);
  }

  set(attributes: SpanAttributes): void {
    this.span.setAttributes({ ...attributes });
  }

  end(failed: boolean): void {
    if (failed) this.span.setStatus({ code: SpanStatusCode.ERROR });
    if (this.span.isRecording()) spanCounts.ended += 1;
    this.span.end();
  }
}

/** A trace may need an id that other processes know already. */
class GivenIds implements IdGenerator {
  next: string | undefined;
  private readonly random = new RandomIdGenerator();

  generateTraceId(): string {
    return this.next !== undefined && isTraceId(this.next) ? this.next : this.random.generateTraceId();
  }

  generateSpanId(): string {
    return this.random.generateSpanId();
  }
}

function contextOf(traceparent: string | undefined): Context {
  const parent = parseTraceparent(traceparent);
  if (parent === undefined) return ROOT_CONTEXT;
  const { traceId, spanId, sampled } = parent;
  const traceFlags = sampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}

function counting(exporter: SpanExporter): SpanExporter {
  return {
    export: (spans: ReadableSpan[], done) =>
      exporter.export(spans, (result) => {
        spanCounts[result.code === 0 ? "exported" : "failed"] += spans.length;
        done(result);
      }),
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  };
}
