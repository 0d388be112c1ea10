import { describe, expect, it } from "vitest";
import { pageOf } from "../../../../router/admin/page.js";

const keyOf = (row: string): string => row;

describe("pageOf", () => {
  it.each<[string, string[], { limit: number; after: string }, string[], string]>([
    ["all, when they fit", ["b", "a"], { limit: 2, after: "" }, ["a", "b"], ""],
    ["the first page names where the next begins", ["c", "a", "b"], { limit: 2, after: "" }, ["a", "b"], "b"],
    ["the next page", ["c", "a", "b"], { limit: 2, after: "b" }, ["c"], ""],
    ["behind a row that has gone", ["c", "a"], { limit: 2, after: "b" }, ["c"], ""],
    ["behind the last one", ["a"], { limit: 2, after: "z" }, [], ""],
    ["of nothing", [], { limit: 2, after: "" }, [], ""],
  ])("%s", (_, rows, query, docs, next) => {
    expect(pageOf(rows, keyOf, query)).toEqual({ docs, next });
  });
});
