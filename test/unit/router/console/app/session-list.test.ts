import { describe, expect, it } from "vitest";
import type { SessionRow } from "../../../../../router/console/app/api/rows.js";
import { titleOf, withEvents, withPage, type LiveSessionEvent } from "../../../../../router/console/app/pages/sessions/session-list.js";

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
  restrictedUntil: "",
  ...more,
});
const event = (session: string, state: LiveSessionEvent["state"], member = "shard-2"): LiveSessionEvent => ({
  type: "session",
  at: "2026-01-02T00:00:00.000Z",
  session,
  platform: "telegram",
  tenant: "default",
  state,
  member,
});

describe("applying live events to the list of sessions", () => {
  it("keeps the order and applies the last of several events", () => {
    const { rows, unknown } = withEvents([row("a"), row("b"), row("c")], [event("b", "disconnected"), event("b", "connected", "shard-3")]);
    expect(rows.map(({ id, state, member }) => [id, state, member])).toEqual([
      ["a", "connected", "shard-1"],
      ["b", "connected", "shard-3"],
      ["c", "connected", "shard-1"],
    ]);
    expect(unknown).toEqual([]);
  });
  it("sets the time of a new state, and keeps it if only the shard changed", () => {
    const { rows } = withEvents([row("a"), row("b")], [event("a", "disconnected"), event("b", "connected")]);
    expect(rows.map(({ since }) => since)).toEqual(["2026-01-02T00:00:00.000Z", "2026-01-01T00:00:00.000Z"]);
  });
  it("removes deleted sessions", () => {
    expect(withEvents([row("a"), row("b")], [event("a", "deleted")]).rows.map(({ id }) => id)).toEqual(["b"]);
  });
  it("returns the ids of unknown sessions, except deleted ones", () => {
    expect(withEvents([row("a")], [event("x", "awaiting-qr"), event("y", "deleted"), event("x", "connected")]).unknown).toEqual(["x"]);
  });
});

describe("loading another page", () => {
  it("appends its rows and skips those already shown", () => {
    expect(withPage([row("a"), row("b")], [row("b"), row("c")]).map(({ id }) => id)).toEqual(["a", "b", "c"]);
  });
});

describe("the title of a session", () => {
  it.each([
    [{ name: "Alice", label: "shop", phone: "49" }, "Alice"],
    [{ name: "", label: "shop", phone: "49" }, "shop"],
    [{ name: "", label: "", phone: "49" }, "49"],
    [{ name: "", label: "", phone: "" }, "Unlinked session"],
  ])("%j: %s", (of, title) => {
    expect(titleOf(of)).toBe(title);
  });
});
