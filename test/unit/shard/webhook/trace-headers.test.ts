import { expect, it } from "vitest";
import { deliveryId, traceHeaders, traceOf, type TracedEvent } from "../../../../shard/webhook/trace-headers.js";

const event = (id: string, requestId = ""): TracedEvent => ({ id, requestId });

it("all attempts of an event have its trace, each a span of its own", () => {
  const [first, second] = [traceHeaders(event("event-1")), traceHeaders(event("event-1"))];
  expect(first["x-request-id"]).toBe(traceOf(event("event-1")));
  expect(second["x-request-id"]).toBe(first["x-request-id"]);
  for (const { traceparent } of [first, second])
    expect(traceparent).toMatch(new RegExp(`^00-${traceOf(event("event-1"))}-[0-9a-f]{16}-00$`));
  expect(second.traceparent).not.toBe(first.traceparent);
});

it("another event has another", () => {
  expect(traceOf(event("event-1"))).toMatch(/^[0-9a-f]{32}$/);
  expect(traceOf(event("event-2"))).not.toBe(traceOf(event("event-1")));
});

it("one that was replayed goes on under the id of the request that did it", () => {
  const trace = "4bf92f3577b34da6a3ce929d0e0e4736";
  expect(traceHeaders(event("event-1", trace))).toEqual({
    "x-request-id": trace,
    traceparent: expect.stringMatching(new RegExp(`^00-${trace}-[0-9a-f]{16}-00$`)) as string,
  });
  // A caller's request id may not be a valid trace id.
  const named = event("event-1", "order-4711");
  expect([deliveryId(named), traceOf(named)]).toEqual(["order-4711", traceOf(event("event-1"))]);
  expect(traceHeaders(named)["x-request-id"]).toBe("order-4711");
});
