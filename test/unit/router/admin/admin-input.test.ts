import { describe, expect, it } from "vitest";
import { parseMember, parseNothing, parsePage, parseQuery } from "../../../../router/admin/admin-input.js";
import { ApiError } from "../../../../shared/contract/api-error.js";

function refusal(parse: () => unknown): string {
  try {
    parse();
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) return error.message;
    throw error;
  }
  throw new Error("was taken");
}

describe("parseMember", () => {
  it("takes a name", () => {
    expect(parseMember({ body: { member: "shard-1" } })).toBe("shard-1");
  });
  it.each<[string, unknown, string]>([
    ["nothing", {}, "member should not be empty"],
    ["an empty name", { member: "" }, "member should not be empty"],
    ["a number", { member: 7 }, "member must be a string"],
    ["other fields, all by name", { member: "shard-1", force: true, memeber: "x" }, "unknown field force\nunknown field memeber"],
    ["a field named as a part of every object", JSON.parse('{"member": "a", "__proto__": 1}'), "unknown field __proto__"],
  ])("refuses %s", (_, body, message) => {
    expect(refusal(() => parseMember({ body }))).toBe(message);
  });
  it("names ten unknown fields at most, and of each a part", () => {
    const body = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`${i}`.padEnd(200, "x"), 1]));
    const lines = refusal(() => parseMember({ body })).split("\n");
    expect(lines).toHaveLength(10);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(100);
  });
});

describe("parseNothing", () => {
  it("takes an empty body", () => {
    expect(() => parseNothing({ body: {} })).not.toThrow();
  });
  it("refuses whatever else was said", () => {
    expect(refusal(() => parseNothing({ body: { now: true } }))).toBe("unknown field now");
  });
});

describe("parseQuery", () => {
  it("accepts known fields", () => {
    expect(parseQuery({ query: { a: "1" } }, ["a", "b"])).toEqual({ a: "1" });
  });
  it.each<[string, Record<string, string | string[]>, string]>([
    ["a misspelt filter", { tennant: "a" }, "unknown field tennant"],
    ["a repeated one", { a: ["1", "2"] }, "a must be given once, with at most 256 characters"],
    ["one that is too long", { a: "x".repeat(257) }, "a must be given once, with at most 256 characters"],
  ])("refuses %s", (_, query, message) => {
    expect(refusal(() => parseQuery({ query }, ["a"]))).toBe(message);
  });
});

describe("parsePage", () => {
  it.each([
    [{}, { limit: 100, after: "" }],
    [{ limit: "1" }, { limit: 1, after: "" }],
    [
      { limit: "1000", after: "x" },
      { limit: 1_000, after: "x" },
    ],
  ])("takes %o", (query, page) => {
    expect(parsePage(query)).toEqual(page);
  });
  it.each(["0", "1001", "-1", "1.5", "1e3", "", "ten"])("refuses a limit of '%s'", (limit) => {
    expect(refusal(() => parsePage({ limit }))).toBe("limit must be an integer from 1 to 1000");
  });
});
