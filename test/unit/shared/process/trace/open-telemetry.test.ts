import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { silentLog } from "../../../../../shared/log/logger.js";
import { Lifecycle } from "../../../../../shared/process/lifecycle.js";
import { openTracing } from "../../../../../shared/process/trace/open-tracing.js";
import { spanCounts } from "../../../../../shared/process/trace/span-counts.js";
import { traced, type SpanPlan, type Tracing } from "../../../../../shared/process/trace/tracing.js";
import { eventually } from "../../../../harness/eventually.js";
import { receivedSpans, type ReceivedSpan } from "../../../../harness/received-spans.js";
import { WebhookReceiver } from "../../../../harness/webhook-receiver.js";

/** Runs the real SDK against a server that accepts its requests. */
let receiver: WebhookReceiver;
let lifecycle: Lifecycle;
let endpoint: string;
const given = { ...process.env };
beforeEach(async () => {
  receiver = await WebhookReceiver.start();
  endpoint = receiver.url;
  lifecycle = new Lifecycle(silentLog);
  Object.assign(spanCounts, { ended: 0, exported: 0, failed: 0 });
  process.env["OTEL_BSP_SCHEDULE_DELAY"] = "20";
});
afterEach(async () => {
  process.env = { ...given };
  await lifecycle.stop();
  await receiver.stop();
});

async function tracing(at = endpoint): Promise<Tracing> {
  const opened = await openTracing("router", { name: "router-1", tracesEndpoint: at }, lifecycle);
  if (opened === undefined) throw new Error("no tracing");
  await lifecycle.start();
  return opened;
}
const plan = (name: string, under?: SpanPlan["under"]): SpanPlan => ({
  ...{ name, kind: "server", attributes: { "http.route": "/x" } },
  ...(under === undefined ? {} : { under }),
});
const spans = (count: number): Promise<ReceivedSpan[]> =>
  eventually(`${count} spans`, () => receivedSpans(receiver).length >= count && receivedSpans(receiver));

const trace = "4bf92f3577b34da6a3ce929d0e0e4736";
const caller = `00-${trace}-00f067aa0ba902b7-01`;

it("nothing of it is there without an endpoint", async () => {
  expect(await openTracing("router", { name: "router-1", tracesEndpoint: undefined }, lifecycle)).toBeUndefined();
});

describe("spans", () => {
  it("stand under each other within work, over its waits, and under a caller's", async () => {
    const made = await tracing();
    await traced(made, plan("outer", { traceparent: caller }), async (outer) => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      await Promise.all([
        traced(made, plan("left"), async () => undefined),
        traced(made, plan("right"), async () => outer.set({ "http.response.status_code": 200 })),
      ]);
    });
    const sent = await spans(3);
    const outer = sent.find(({ name }) => name === "outer");
    expect(outer).toMatchObject({
      ...{ service: "trunkline-router", traceId: trace, parentSpanId: "00f067aa0ba902b7", failed: false },
      attributes: { "http.route": "/x", "http.response.status_code": 200 },
    });
    for (const name of ["left", "right"])
      expect(sent.find((span) => span.name === name)).toMatchObject({ traceId: trace, parentSpanId: outer?.spanId });
  });

  it("begin a trace where nothing else is said, of an id that others know it by, and end failed where the work does", async () => {
    const made = await tracing();
    await traced(made, plan("asked", { traceparent: "nonsense", traceId: trace }), async () => undefined);
    await expect(
      traced(made, plan("alone", { traceparent: undefined, traceId: "order-4711" }), () => Promise.reject(new Error("a secret text"))),
    ).rejects.toThrow("a secret text");
    const [asked, alone] = await spans(2);
    expect(asked).toMatchObject({ name: "asked", traceId: trace, parentSpanId: "", failed: false });
    expect(alone).toMatchObject({ name: "alone", parentSpanId: "", failed: true });
    expect(alone?.traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(receiver.requests.some(({ body }) => body.includes("secret text"))).toBe(false);
  });

  it("are sampled as the environment says, and as a caller's trace is", async () => {
    process.env["OTEL_TRACES_SAMPLER"] = "parentbased_always_off";
    const made = await tracing();
    const own = made.start(plan("own", { traceparent: undefined }));
    expect(own.traceparent).toMatch(/-00$/);
    own.end(false);
    made.start(plan("theirs", { traceparent: caller })).end(false);
    expect((await spans(1)).map(({ name }) => name)).toEqual(["theirs"]);
    await eventually("its count", () => spanCounts.exported > 0);
    expect(spanCounts).toEqual({ ended: 1, exported: 1, failed: 0 });
  });

  it("waiting when the process ends are sent", async () => {
    process.env["OTEL_BSP_SCHEDULE_DELAY"] = "60000";
    (await tracing()).start(plan("last", { traceparent: undefined })).end(false);
    await lifecycle.stop();
    expect(receivedSpans(receiver).map(({ name }) => name)).toEqual(["last"]);
  });
});

it("an endpoint that is not there costs counts alone: at most 2,048 spans wait, and the end comes in time", async () => {
  await receiver.stop();
  process.env["OTEL_EXPORTER_OTLP_TIMEOUT"] = "200";
  const made = await tracing();
  for (let n = 0; n < 20_000; n++) made.start(plan("lost", { traceparent: undefined })).end(false);
  await eventually("failures", () => spanCounts.failed > 0);
  expect(spanCounts).toMatchObject({ ended: 20_000, exported: 0 });
  await lifecycle.stop();
  // Dropped spans are not counted. The failed ones were in the queue.
  expect(spanCounts.failed).toBeLessThanOrEqual(4_096);
});
