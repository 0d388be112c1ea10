import { expect, it } from "vitest";
import { formatTraceparent, isTraceId, parseTraceparent } from "../../../../../shared/process/trace/traceparent.js";

const trace = "4bf92f3577b34da6a3ce929d0e0e4736";
const span = "00f067aa0ba902b7";

it.each<[string | undefined, boolean | undefined]>([
  [`00-${trace}-${span}-01`, true],
  [`00-${trace}-${span}-00`, false],
  [`00-${trace}-${span}-03`, true],
  [`cc-${trace}-${span}-01-what-comes`, true],
  [`00-${trace}-${span}-01-more`, undefined],
  [`ff-${trace}-${span}-01`, undefined],
  [`00-${"0".repeat(32)}-${span}-01`, undefined],
  [`00-${trace}-${"0".repeat(16)}-01`, undefined],
  [`00-${trace.toUpperCase()}-${span}-01`, undefined],
  [`00-${trace}-${span}`, undefined],
  ["", undefined],
  [undefined, undefined],
])("%s: sampled %s", (text, sampled) => {
  expect(parseTraceparent(text)).toEqual(sampled === undefined ? undefined : { traceId: trace, spanId: span, sampled });
});

it("is written as it is read", () => {
  for (const text of [`00-${trace}-${span}-01`, `00-${trace}-${span}-00`]) {
    const parsed = parseTraceparent(text);
    expect(parsed && formatTraceparent(parsed)).toBe(text);
  }
});

it.each([
  [trace, true],
  ["0".repeat(32), false],
  ["order-4711", false],
  [trace.toUpperCase(), false],
])("%s is a trace id: %s", (text, is) => {
  expect(isTraceId(text)).toBe(is);
});
