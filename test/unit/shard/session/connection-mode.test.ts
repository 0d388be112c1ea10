import { describe, expect, it } from "vitest";
import { type ConnectionMode, isConnectOutcome, isReplaced, nextMode } from "../../../../shard/session/connection-mode.js";
import { initialState, type SessionState } from "../../../../shared/session/state.js";
import { account } from "./scripted-connector.js";

const { signal } = new AbortController();
const waiting: ConnectionMode = { kind: "waiting" };
const open: ConnectionMode = { kind: "open", signal };
const leaving: ConnectionMode = { kind: "leaving", signal };
const switching: ConnectionMode = { kind: "switching" };

describe("nextMode", () => {
  it.each([waiting, open, leaving, switching])("opens a connection after %o when one is requested", (mode) => {
    const next = new AbortController().signal;
    expect(nextMode(mode, { type: "requested", signal: next })).toEqual({ kind: "open", signal: next });
  });
  it.each<[before: ConnectionMode, after: ConnectionMode]>([
    [waiting, waiting],
    [open, waiting],
    [leaving, switching],
    [switching, switching],
  ])("turns %o into %o when the connection ends", (before, after) => {
    expect(nextMode(before, { type: "ended" })).toEqual(after);
  });
  it.each<[before: ConnectionMode, isLoggedIn: boolean, after: ConnectionMode]>([
    [waiting, false, waiting],
    [waiting, true, switching],
    [open, false, open],
    [open, true, leaving],
    [leaving, false, open],
    [leaving, true, leaving],
    [switching, false, waiting],
    [switching, true, switching],
  ])("turns %o (logged in: %s) into %o when the session replaces it", (before, isLoggedIn, after) => {
    expect(nextMode(before, { type: "replaced", isLoggedIn })).toEqual(after);
  });
  it("makes commands wait while the session leaves one connection for another", () => {
    expect([waiting, open, leaving, switching].map(isReplaced)).toEqual([false, false, true, true]);
  });
});

describe("isConnectOutcome", () => {
  const connected: SessionState = { kind: "connected", account };
  it.each<[string, SessionState, boolean]>([
    ["a session without its first code", initialState, false],
    ["a code to scan", { kind: "awaiting-qr", qr: "2@a", elapsedMs: 0 }, true],
    ["a code to type", { kind: "awaiting-qr", qr: "", pairingCode: "ABCD1234", elapsedMs: 0 }, true],
    ["a connected session", connected, true],
    ["a disconnected session", { kind: "disconnected", account, elapsedMs: 0 }, false],
    ["a deleted session", { kind: "deleted", reason: "owner" }, true],
  ])("%s", (_, state, isOutcome) => {
    expect(isConnectOutcome(state)).toBe(isOutcome);
  });
});
