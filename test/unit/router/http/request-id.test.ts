import { describe, expect, it } from "vitest";
import { requestIdOf } from "../../../../router/http/request-id.js";

const trace = "4bf92f3577b34da6a3ce929d0e0e4736";
const span = "00f067aa0ba902b7";
const ours = /^[0-9a-f]{32}$/;

describe("x-request-id", () => {
  it.each(["a", "req-1", "0".repeat(128), "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", "%0d%0a"])("is taken as it is: %s", (named) => {
    expect(requestIdOf(named, `00-${trace}-${span}-01`)).toBe(named);
  });

  it.each([
    ["nothing", ""],
    ["over 128 characters", "a".repeat(129)],
    ["a blank", "a b"],
    ["a tab", "a\tb"],
    ["CR and LF", "a\r\nset-cookie: x=1"],
    ["a NUL", "a\u0000"],
    ["DEL", "a\u007f"],
    ["C1", "a\u0085"],
    ["a letter beyond ASCII", "ä"],
    ["a line separator", "a\u2028b"],
    ["half a character", "a\ud800"],
  ])("is replaced by one of ours: %s", (_, named) => {
    expect(requestIdOf(named, undefined)).toMatch(ours);
    expect(requestIdOf(named, `00-${trace}-${span}-01`)).toBe(trace);
  });
});

describe("traceparent", () => {
  it.each([
    ["version 0", `00-${trace}-${span}-01`],
    ["not sampled", `00-${trace}-${span}-00`],
    ["a later version", `01-${trace}-${span}-01`],
    ["a later version that says more", `cc-${trace}-${span}-01-what-comes`],
  ])("names the request: %s", (_, traceparent) => {
    expect(requestIdOf(undefined, traceparent)).toBe(trace);
  });

  it.each([
    ["nothing", ""],
    ["version 0 that says more", `00-${trace}-${span}-01-x`],
    ["version ff", `ff-${trace}-${span}-01`],
    ["a trace of zeros", `00-${"0".repeat(32)}-${span}-01`],
    ["a span of zeros", `00-${trace}-${"0".repeat(16)}-01`],
    ["capitals", `00-${trace.toUpperCase()}-${span}-01`],
    ["a short trace", `00-${trace.slice(1)}-${span}-01`],
    ["no flags", `00-${trace}-${span}`],
    ["a line more", `00-${trace}-${span}-01\n`],
    ["blanks", ` 00-${trace}-${span}-01`],
  ])("counts for nothing: %s", (_, traceparent) => {
    const id = requestIdOf(undefined, traceparent);
    expect(id).toMatch(ours);
    expect(id).not.toBe(trace);
  });
});

it("ours are 128 random bits, each another", () => {
  const ids = Array.from({ length: 10_000 }, () => requestIdOf(undefined, undefined));
  expect(new Set(ids).size).toBe(10_000);
  expect(ids.every((id) => ours.test(id))).toBe(true);
});
