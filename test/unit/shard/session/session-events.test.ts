import { describe, expect, it } from "vitest";
import type { EventType } from "../../../../shared/contract/webhook-events.js";
import { disconnectedMs, passkeyWaitMs } from "../../../../shared/limits.js";
import { silentLog } from "../../../../shared/log/logger.js";
import { initialState, type SessionState } from "../../../../shared/session/state.js";
import type { UpdateEvent } from "../../../../shard/session/session-context.js";
import { dueWarning, SessionEvents } from "../../../../shard/session/session-events.js";

const minute = 60_000;
const account = { generatedId: "7", name: "Ann", username: "", phone: "", picture: "" };
const connected: SessionState = { kind: "connected", account };
const disconnected = (elapsedMs: number): SessionState => ({ kind: "disconnected", account, elapsedMs });
const password = (elapsedMs: number): SessionState => ({ kind: "awaiting-password", hint: "", elapsedMs });
const unreadable = (elapsedMs: number): SessionState => ({ kind: "disconnected", account, elapsedMs, unreadable: true });
const passkey = { step: "challenge", token: "t", code: "", expires: "" } as const;
const deleted: SessionState = { kind: "deleted", reason: "owner" };

function someEvents(types: readonly EventType[] = ["session.state", "session.expiring"], append?: () => Promise<void>) {
  const stored: UpdateEvent[] = [];
  const events = new SessionEvents({
    requested: () => new Set(types),
    append: append ?? ((event) => Promise.resolve(void stored.push(event))),
    log: silentLog,
  });
  return { events, stored };
}

describe("a warning", () => {
  it.each<[string, SessionState, SessionState, number | undefined]>([
    ["at the disconnection", connected, disconnected(0), disconnectedMs],
    ["not between two warnings", disconnected(0), disconnected(10 * minute), undefined],
    ["not a moment before", disconnected(10 * minute), disconnected(disconnectedMs - 5 * minute - 1), undefined],
    ["5 minutes before", disconnected(10 * minute), disconnected(disconnectedMs - 5 * minute), 5 * minute],
    ["not twice", disconnected(disconnectedMs - 5 * minute), disconnected(disconnectedMs - 4 * minute), undefined],
    ["late, when the session stood still meanwhile", disconnected(minute), disconnected(disconnectedMs - minute), minute],
    ["with no time left", disconnected(minute), disconnected(disconnectedMs + minute), 0],
    ["when the data of the session opens again", unreadable(20 * minute), disconnected(20 * minute), disconnectedMs - 20 * minute],
    ["when a password is awaited", initialState, password(0), 30 * minute],
    ["never while the data does not open", disconnected(20 * minute), unreadable(disconnectedMs - minute), undefined],
    ["never for a code that is valid for less", connected, initialState, undefined],
    ["never for a connected session", disconnected(20 * minute), connected, undefined],
    ["never for a deleted one", disconnected(20 * minute), deleted, undefined],
  ])("is due %s", (_, before, after, expected) => {
    expect(dueWarning(before, after)).toBe(expected);
  });

  it("is due again when a step of the owner has restarted the wait", () => {
    const waiting = (elapsedMs: number): SessionState => ({ kind: "awaiting-qr", qr: "", passkey, elapsedMs });
    const last = passkeyWaitMs - 5 * minute;
    expect(dueWarning(initialState, waiting(0))).toBeUndefined();
    expect(dueWarning(waiting(last - 1), waiting(last))).toBe(5 * minute);
    expect(dueWarning(waiting(last), waiting(0))).toBeUndefined();
    expect(dueWarning(waiting(0), waiting(last + minute))).toBe(4 * minute);
  });
});

describe("an event of the session", () => {
  it.each<[SessionState, SessionState, string, object[]]>([
    [initialState, connected, "", [{ state: "connected", reason: "" }]],
    [connected, initialState, "", [{ state: "awaiting", reason: "the account is logged out" }]],
    [initialState, password(0), "", []],
    [connected, { ...connected, account: { ...account, name: "Bob" } }, "", []],
    [disconnected(0), connected, "", [{ state: "connected", reason: "" }]],
  ])("is stored for a change of its state: %#", async (before, after, lastError, expected) => {
    const { events, stored } = someEvents(["session.state"]);
    await events.changed(before, after, lastError);
    expect(stored.map(({ data }) => data)).toEqual(expected);
  });

  it("has the reason of a lost connection, and the time of the deletion", async () => {
    const { events, stored } = someEvents();
    await events.changed(connected, disconnected(0), "the proxy refused");
    expect(stored).toMatchObject([
      { type: "session.state", data: { state: "disconnected", reason: "the proxy refused" } },
      { type: "session.expiring" },
    ]);
    const { expires } = stored[1]?.data as { readonly expires: string };
    expect(Math.abs(Date.parse(expires) - Date.now() - disconnectedMs)).toBeLessThan(5_000);
    expect(new Set(stored.map(({ id }) => id)).size).toBe(2);
    for (const { id, created } of stored)
      expect([id, created]).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), expect.stringMatching(/Z$/)]);
  });

  it("is dropped if the receiver does not get its type", async () => {
    const { events, stored } = someEvents(["session.expiring", "message.new"]);
    await events.changed(connected, disconnected(0), "");
    expect(stored.map(({ type }) => type)).toEqual(["session.expiring"]);
    expect(await events.deleting("owner")).toBe(false);
  });

  it("that cannot be stored does not stop the change", async () => {
    const { events } = someEvents(undefined, () => Promise.reject(new Error("redis is away")));
    await events.changed(connected, disconnected(0), "");
    expect(await events.deleting("owner")).toBe(false);
    const unread = new SessionEvents({
      requested: () => Promise.reject(new Error("redis is away")),
      append: () => Promise.reject(new Error("not called")),
      log: silentLog,
    });
    await unread.changed(connected, initialState, "");
  });

  it.each([
    ["owner", "deleted by its owner"],
    ["qr-expired", "the code was not scanned in time"],
    ["password-expired", "the password was not entered in time"],
    ["disconnected-too-long", "disconnected for too long"],
  ] as const)("says why the session is deleted: %s", async (reason, words) => {
    const { events, stored } = someEvents();
    expect(await events.deleting(reason)).toBe(true);
    expect(stored).toMatchObject([{ type: "session.state", data: { state: "deleted", reason: words } }]);
  });
});
