import { describe, expect, it } from "vitest";
import { matchRoute, placeOf, to } from "../../../../../router/console/app/route/match-route.js";

const rows = [{ path: "/sessions" }, { path: "/sessions/new" }, { path: "/sessions/:id" }, { path: "/sessions/:id/:tab" }] as const;

describe("parsing an address", () => {
  it.each([
    ["", "/", {}],
    ["#", "/", {}],
    ["#main", "/", {}],
    ["#/sessions", "/sessions", {}],
    ["#/sessions/", "/sessions", {}],
    ["#/sessions?state=connected&q=%2B49", "/sessions", { state: "connected", q: "+49" }],
  ])("%j", (hash, path, query) => {
    expect(placeOf(hash)).toEqual({ path, query });
  });
});

describe("matching a route", () => {
  it.each<[string, string | undefined, Record<string, string>]>([
    ["/sessions", "/sessions", {}],
    ["/sessions/new", "/sessions/new", {}],
    ["/sessions/a1", "/sessions/:id", { id: "a1" }],
    ["/sessions/a1/groups", "/sessions/:id/:tab", { id: "a1", tab: "groups" }],
    ["/sessions/a%2Fb", "/sessions/:id", { id: "a/b" }],
    ["/sessions/%E0%A4%A", undefined, {}],
    ["/sessions//groups", undefined, {}],
    ["/nothing", undefined, {}],
  ])("%s", (path, row, params) => {
    const match = matchRoute(rows, path);
    expect(match?.row.path).toBe(row);
    expect(match?.params ?? {}).toEqual(params);
  });
  it("matches the address that was made from it, with any characters in its parameters", () => {
    const address = to("/sessions/:id/:tab", { id: "120-3@g.us/ä?#", tab: "groups" }, { q: "a&b", none: "" });
    const { path, query } = placeOf(address);
    expect(matchRoute(rows, path)?.params).toEqual({ id: "120-3@g.us/ä?#", tab: "groups" });
    expect(query).toEqual({ q: "a&b" });
  });
});
