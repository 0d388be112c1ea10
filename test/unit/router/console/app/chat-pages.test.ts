import { describe, expect, it } from "vitest";
import {
  rowsMax,
  withFirstChats,
  withFirstMessages,
  withNextPage,
} from "../../../../../router/console/app/pages/session/chats/chat-pages.js";

const page = (ids: string, next = "") => ({ docs: [...ids].map((id) => ({ id })), next });
const idsOf = ({ docs }: { docs: readonly { id: string }[] }): string => docs.map(({ id }) => id).join("");

describe("a new first page of messages", () => {
  it.each([
    ["is all there is at first", undefined, page("dc", "c"), "dc", "c"],
    ["comes before the held ones", page("dcba", "a"), page("fed", "d"), "fedcba", "a"],
    ["takes away what was deleted within it", page("dcba", "a"), page("db", "b"), "dba", "a"],
    ["replaces the held ones that it does not reach", page("dcba", "a"), page("zyx", "x"), "zyx", "x"],
    ["replaces all if nothing is older", page("dcba", ""), page("dc", ""), "dc", ""],
    ["keeps its own position if it reaches the oldest held message", page("dc", "c"), page("edc", "c"), "edc", "c"],
    ["may be empty", page("dc", "c"), page(""), "", ""],
  ])("%s", (_, held, first, ids, next) => {
    const joined = withFirstMessages(held, first);
    expect([idsOf(joined), joined.next]).toEqual([ids, next]);
  });
});

describe("a new first page of chats", () => {
  const withFirst = withFirstChats<{ id: string }>(({ id }) => id);
  it.each([
    ["is all there is at first", undefined, page("ab", "1"), "ab", "1"],
    ["moves a chat with news to the front", page("abcd", "2"), page("da", "1"), "dabc", "2"],
    ["is all there is without a next page", page("abcd", "2"), page("ab"), "ab", ""],
  ])("%s", (_, held, first, ids, next) => {
    const joined = withFirst(held, first);
    expect([idsOf(joined), joined.next]).toEqual([ids, next]);
  });
});

it("adds the next page, and stops at the limit", () => {
  expect(withNextPage(page("dc", "c"), page("ba", "a"))).toEqual(page("dcba", "a"));
  const many = { docs: Array.from({ length: rowsMax - 1 }, (_, at) => ({ id: String(at) })), next: "x" };
  const full = withNextPage(many, page("ab", "b"));
  expect([full.docs.length, full.next]).toEqual([rowsMax, ""]);
});
