import { expect, it } from "vitest";
import { withoutBlanks } from "../../../../shared/contract/blank.js";

it.each<[string, unknown, unknown]>([
  ["null", { a: null, b: 1 }, { b: 1 }],
  ["a text without visible characters", { a: "\u200b ", b: "x" }, { b: "x" }],
  ["the same in an object of the body", { a: { b: "", c: "x" }, d: 1 }, { a: { c: "x" }, d: 1 }],
  ["all fields", { a: "", b: null }, {}],
])("removes %s", (_what, body, expected) => {
  const before = structuredClone(body);
  expect(withoutBlanks(body)).toEqual(expected);
  expect(body).toEqual(before);
});

it("returns a body with nothing to remove as it is", () => {
  const body = { a: "x", b: { c: 0, d: ["", null] }, e: false };
  expect(withoutBlanks(body)).toBe(body);
});
