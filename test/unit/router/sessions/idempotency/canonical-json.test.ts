import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../../../../router/sessions/idempotency/canonical-json.js";

const canonical = (text: string): string => canonicalJson(JSON.parse(text));

describe("two bodies", () => {
  it.each<[string, string, string]>([
    ["blanks", '{"a":1,"b":[1,2]}', '{ "a" : 1,\n "b" : [1, 2] }'],
    ["the order of names", '{"a":1,"b":{"c":2,"d":3}}', '{"b":{"d":3,"c":2},"a":1}'],
    ["the order of names inside lists", '[{"a":1,"b":2}]', '[{"b":2,"a":1}]'],
    ["how a character is written", '{"a":"\\u00e9"}', '{"a":"é"}'],
    ["how a number is written", '{"a":1.0}', '{"a":1}'],
    ["the order of names such as __proto__", '{"__proto__":{"x":1},"a":1}', '{"a":1,"__proto__":{"x":1}}'],
  ])("are the same but for %s", (_, one, other) => {
    expect(canonical(one)).toBe(canonical(other));
  });

  it.each<[string, string, string]>([
    ["a value", '{"a":1}', '{"a":2}'],
    ["the order of a list", "[1,2]", "[2,1]"],
    ["the type of a value", '{"a":1}', '{"a":"1"}'],
    ["a name that one has more", '{"a":1}', '{"a":1,"b":null}'],
    ["where a name stands", '{"a":{"b":1}}', '{"a":{},"b":1}'],
    ["a name such as __proto__", '{"__proto__":{"x":1}}', "{}"],
  ])("differ by %s", (_, one, other) => {
    expect(canonical(one)).not.toBe(canonical(other));
  });
});
