import { describe, expect, it } from "vitest";
import type { SessionRow } from "../../../../../router/console/app/api/rows.js";
import { titleOf, withNews, withPage, type SessionNews } from "../../../../../router/console/app/pages/sessions/session-list.js";

const row = (id: string, more: Partial<SessionRow> = {}): SessionRow => ({
  id,
  tenant: "default",
  platform: "telegram",
  state: "connected",
  since: "2026-01-01T00:00:00.000Z",
  member: "shard-1",
  slot: 1,
  name: "",
  phone: "",
  label: "",
  lastError: "",
  webhookLag: 0,
  ...more,
});
const news = (session: string, state: SessionNews["state"], member = "shard-2"): SessionNews => ({
  type: "session",
  at: "2026-01-02T00:00:00.000Z",
  session,
  platform: "telegram",
  tenant: "default",
  state,
  member,
});

describe("a list of sessions that is told of changes", () => {
  it("keeps its order, and the last of several changes counts", () => {
    const { rows, unknown } = withNews([row("a"), row("b"), row("c")], [news("b", "disconnected"), news("b", "connected", "shard-3")]);
    expect(rows.map(({ id, state, member }) => [id, state, member])).toEqual([
      ["a", "connected", "shard-1"],
      ["b", "connected", "shard-3"],
      ["c", "connected", "shard-1"],
    ]);
    expect(unknown).toEqual([]);
  });
  it("shows since when a session is in its new state, and leaves that alone where only its holder changed", () => {
    const { rows } = withNews([row("a"), row("b")], [news("a", "disconnected"), news("b", "connected")]);
    expect(rows.map(({ since }) => since)).toEqual(["2026-01-02T00:00:00.000Z", "2026-01-01T00:00:00.000Z"]);
  });
  it("loses what was deleted", () => {
    expect(withNews([row("a"), row("b")], [news("a", "deleted")]).rows.map(({ id }) => id)).toEqual(["b"]);
  });
  it("names what it does not have, but not what was deleted", () => {
    expect(withNews([row("a")], [news("x", "awaiting-qr"), news("y", "deleted"), news("x", "connected")]).unknown).toEqual(["x"]);
  });
});

describe("a further page", () => {
  it("goes behind the rows, and shows none of them twice", () => {
    expect(withPage([row("a"), row("b")], [row("b"), row("c")]).map(({ id }) => id)).toEqual(["a", "b", "c"]);
  });
});

describe("what a session is called", () => {
  it.each([
    [{ name: "Alice", label: "shop", phone: "49" }, "Alice"],
    [{ name: "", label: "shop", phone: "49" }, "shop"],
    [{ name: "", label: "", phone: "49" }, "49"],
    [{ name: "", label: "", phone: "" }, "Unlinked session"],
  ])("%j: %s", (of, title) => {
    expect(titleOf(of)).toBe(title);
  });
});
