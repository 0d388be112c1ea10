import { expect, it } from "vitest";
import { traceHeaders, traceOf } from "../../../../shard/webhook/trace-headers.js";

it("all attempts of an event have its trace, each a span of its own", () => {
  const [first, second] = [traceHeaders("event-1"), traceHeaders("event-1")];
  expect(first["x-request-id"]).toBe(traceOf("event-1"));
  expect(second["x-request-id"]).toBe(first["x-request-id"]);
  for (const { traceparent } of [first, second]) expect(traceparent).toMatch(new RegExp(`^00-${traceOf("event-1")}-[0-9a-f]{16}-00$`));
  expect(second.traceparent).not.toBe(first.traceparent);
});

it("another event has another", () => {
  expect(traceOf("event-1")).toMatch(/^[0-9a-f]{32}$/);
  expect(traceOf("event-2")).not.toBe(traceOf("event-1"));
});
