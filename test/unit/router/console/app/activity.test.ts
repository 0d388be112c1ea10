import { expect, it } from "vitest";
import type { AuditRow } from "../../../../../shared/cluster/audit/audit-row.js";
import { activityMax, recentActivity, withState } from "../../../../../router/console/app/pages/session/activity.js";
import { sampleCall } from "../../../../../router/console/app/pages/session/overview/sample-call.js";

const at = (second: number): string => new Date(Date.UTC(2026, 10, 27, 12, 0, second)).toISOString();
const entry = (second: number, what: string): AuditRow => ({
  ...{ at: at(second), what, who: "session", target: "", tenant: "default", session: "s", from: "127.0.0.1" },
  ...{ requestId: "r", status: 200, count: 1 },
});

it("collects the states that a page saw, the newest first, each once", () => {
  const waiting = withState([], { state: "awaiting-qr", since: at(1) });
  expect(withState(waiting, { state: "awaiting-qr", since: at(1) })).toBe(waiting);
  const connected = withState(waiting, { state: "connected", since: at(5) });
  expect(connected.map(({ state }) => state)).toEqual(["connected", "awaiting-qr"]);
  let many = connected;
  for (let second = 10; second < 50; second++) many = withState(many, { state: "disconnected", since: at(second) });
  expect(many).toHaveLength(activityMax);
  expect(many[0]).toEqual({ state: "disconnected", since: at(49) });
});

it("sorts audit entries and states into one list, the newest first, and cuts it", () => {
  const states = [
    { state: "connected", since: at(5) },
    { state: "awaiting-qr", since: at(1) },
  ] as const;
  const lines = recentActivity([entry(6, "reset-session"), entry(3, "set-webhook")], states);
  expect(lines.map((line) => ("state" in line ? line.state : line.audit.what))).toEqual([
    "reset-session",
    "connected",
    "set-webhook",
    "awaiting-qr",
  ]);
  const entries = Array.from({ length: activityMax }, (_, second) => entry(second + 10, "restart-session"));
  expect(recentActivity(entries, states)).toHaveLength(activityMax);
  expect(recentActivity([], [])).toEqual([]);
});

it("shows a sample request to a sandbox person, and off the sandbox to a placeholder", () => {
  const facts = { base: "http://127.0.0.1:8080/telegram", secret: undefined, isSandbox: true };
  expect(sampleCall({ platform: "telegram", id: "s" }, facts)).toEqual({
    url: "http://127.0.0.1:8080/telegram/message",
    headers: { id: "s", "session-id": { env: "SESSION_SECRET" } },
    body: { username: "bob_sandbox", type: "text", text: "Hello from Trunkline" },
  });
  expect(sampleCall({ platform: "whatsapp", id: "s" }, { ...facts, secret: "its secret", isSandbox: false })).toMatchObject({
    headers: { "session-id": "its secret" },
    body: { phone: "RECIPIENT" },
  });
});
