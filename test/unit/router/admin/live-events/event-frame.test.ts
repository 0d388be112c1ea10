import { expect, it } from "vitest";
import { endFrame, heartbeatFrame, isVisible, eventFrame, openingFrame } from "../../../../../router/admin/live-events/event-frame.js";
import { RecentEvents } from "../../../../../router/admin/live-events/recent-events.js";
import { isBefore, isPosition } from "../../../../../router/admin/live-events/stored-events.js";
import type { Principal } from "../../../../../router/tenant/principal.js";
import type { OperatorEvent } from "../../../../../shared/cluster/live-events.js";
import type { SessionId } from "../../../../../shared/contract/ids.js";
import type { TenantName } from "../../../../../shared/contract/tenant.js";

const at = "2026-11-22T10:00:00.000Z";
const session: OperatorEvent = {
  ...{ type: "session", at, session: "0123456789abcdef01234567" as SessionId, platform: "telegram" },
  ...{ tenant: "acme" as TenantName, state: "connected", member: "shard-1" },
};
const slots: OperatorEvent = { type: "slots", at, member: "shard-1", slots: [3, 4] };
const member: OperatorEvent = { type: "member", at, member: "shard-1", state: "dead", host: "h" };
const code: OperatorEvent = {
  ...{ type: "code", at, session: "0123456789abcdef01234567" as SessionId, platform: "telegram" },
  ...{ tenant: "acme" as TenantName, member: "shard-1" },
};
const deliveries: OperatorEvent = { ...code, type: "deliveries", delivered: 1, failed: 0, dead: 0, replayed: 0, webhookLag: 0 };
const load: OperatorEvent = { type: "load", at, member: "shard-1", slots: 2, sessions: 3, drained: true };
const rotation: OperatorEvent = { type: "rotation", at, member: "shard-1", state: "ended", total: 2, done: 2, failed: 0 };
const missed: OperatorEvent = { type: "missed", at };

const of = (role: "tenant" | "read", tenant: string): Principal => ({ keyId: "k", role, tenant: tenant as TenantName, incarnation: "" });

it.each<[string, Principal, OperatorEvent, boolean]>([
  ["an admin: sessions", { keyId: "a", role: "admin" }, session, true],
  ["an admin: slots", { keyId: "a", role: "admin" }, slots, true],
  ["an admin: members", { keyId: "a", role: "admin" }, member, true],
  ["a tenant: its session", of("tenant", "acme"), session, true],
  ["a tenant: another's session", of("tenant", "other"), session, false],
  ["an admin: codes", { keyId: "a", role: "admin" }, code, true],
  ["an admin: rotations", { keyId: "a", role: "admin" }, rotation, true],
  ["a tenant: its session's code", of("tenant", "acme"), code, true],
  ["a tenant: another's code", of("tenant", "other"), code, false],
  ["a reader: deliveries of its session", of("read", "acme"), deliveries, true],
  ["a reader: another's deliveries", of("read", "other"), deliveries, false],
  ["a tenant: loads", of("tenant", "acme"), load, false],
  ["a tenant: rotations", of("tenant", "acme"), rotation, false],
  ["a tenant: slots", of("tenant", "acme"), slots, false],
  ["a tenant: members", of("tenant", "acme"), member, false],
  ["a reader: its session", of("read", "acme"), session, true],
  ["a reader: another's session", of("read", "other"), session, false],
  ["a reader: members", of("read", "acme"), member, false],
  ["anybody: that something is missing", of("read", "other"), missed, true],
])("%s: visible %s", (_, principal, event, visible) => {
  expect(isVisible(principal, event)).toBe(visible);
});

it("frames are server-sent events: an id to come back with, a name, one line of JSON", () => {
  expect(eventFrame("7-0", member)).toBe(`id: 7-0\nevent: member\ndata: {"at":"${at}","member":"shard-1","state":"dead","host":"h"}\n\n`);
  expect(openingFrame("7-0", 1_500)).toBe("retry: 1500\nid: 7-0\n\n");
  expect(heartbeatFrame("7-0")).toBe(": heartbeat\nid: 7-0\n\n");
  // The frame has no id, so its client resumes after the last event.
  expect(endFrame("router stops")).toBe('event: end\ndata: {"reason":"router stops"}\n\n');
});

it.each([
  ["1-0", "1-1", true],
  ["1-1", "1-1", false],
  ["9-5", "10-0", true],
  ["10-0", "9-5", false],
  ["0-0", "1-0", true],
])("%s before %s: %s", (a, b, before) => {
  expect(isBefore(a, b)).toBe(before);
});

it.each([
  ["1763805600000-0", true],
  ["", false],
  ["1-", false],
  ["-", false],
  ["1", false],
  ["(1-0", false],
  ["1-0 1", false],
  ["9999999999999999-0", false],
])("%s is a position: %s", (text, is) => {
  expect(isPosition(text)).toBe(is);
});

it("keeps a bounded number of recent events and reports a reader that falls behind", () => {
  const recent = new RecentEvents(4);
  const row = (id: number) => ({ id: `${id}-0`, event: undefined });
  const place = recent.end;
  recent.add([row(1), row(2)]);
  expect(recent.from(place, 10)?.map(({ id }) => id)).toEqual(["1-0", "2-0"]);
  expect(recent.from(place + 2, 10)).toEqual([]);
  recent.add([row(3), row(4), row(5), row(6)]);
  expect(recent.from(place, 10)).toBeUndefined();
  expect(recent.from(place + 2, 2)?.map(({ id }) => id)).toEqual(["3-0", "4-0"]);
  expect(recent.end).toBe(6);
});

it("hides events of a deleted tenant with the same name, and does not send the incarnation", () => {
  const [before, now] = ["2026-11-20T10:00:00.000Z", "2026-11-21T10:00:00.000Z"];
  const next: Principal = { keyId: "k", role: "read", tenant: "acme" as TenantName, incarnation: now };
  expect([before, now].map((incarnation) => isVisible(next, { ...session, incarnation }))).toEqual([false, true]);
  expect([before, now].map((at) => isVisible(next, { ...session, at }))).toEqual([false, true]);
  expect(eventFrame("1-0", { ...session, incarnation: now })).toBe(eventFrame("1-0", session));
});
