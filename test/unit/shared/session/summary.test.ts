import { describe, expect, it } from "vitest";
import { initialState, type SessionState } from "../../../../shared/session/state.js";
import { parseSummary, summaryOf, type SessionSummary } from "../../../../shared/session/summary.js";

const life = { since: new Date("2026-01-02T03:04:05.000Z"), lastError: "connection lost" };
const account = {
  generatedId: "7",
  name: "Ann",
  username: "ann",
  phone: "15550001",
  picture: `data:image/jpeg;base64,${"A".repeat(10_000)}`,
};
const told = { since: "2026-01-02T03:04:05.000Z", lastError: "connection lost", name: "", username: "", phone: "" };
const ann = { name: "Ann", username: "ann", phone: "15550001" };

describe("summaryOf", () => {
  it.each<[string, SessionState, SessionSummary | undefined]>([
    ["a session without a login", initialState, { ...told, state: "awaiting-qr" }],
    [
      "no code is in it",
      { kind: "awaiting-qr", qr: "tg://login?token=x", pairingCode: "ABCD", elapsedMs: 0 },
      { ...told, state: "awaiting-qr" },
    ],
    [
      "a refusal is its last error",
      { kind: "awaiting-qr", qr: "", refusal: "passkey", elapsedMs: 0 },
      { ...told, state: "awaiting-qr", lastError: "passkey" },
    ],
    ["no hint is in it", { kind: "awaiting-password", hint: "pet", elapsedMs: 5 }, { ...told, state: "awaiting-password" }],
    ["an account without its picture", { kind: "connected", account }, { ...told, ...ann, state: "connected" }],
    ["an account that is away", { kind: "disconnected", account, elapsedMs: 5 }, { ...told, ...ann, state: "disconnected" }],
    ["what is deleted", { kind: "deleted", reason: "owner" }, undefined],
  ])("%s", (_, state, summary) => {
    expect(summaryOf(state, life)).toEqual(summary);
  });
});

it("notes when a restriction ends", () => {
  const restrictedUntil = "2026-01-09T00:00:00.000Z";
  const summary = summaryOf({ kind: "connected", account }, { ...life, restrictedUntil });
  expect(summary).toMatchObject({ restrictedUntil });
  expect(parseSummary(JSON.stringify(summary))).toEqual(summary);
});

it("notes when the account was linked", () => {
  const linked = new Date("2026-01-01T00:00:00.000Z");
  const summary = summaryOf({ kind: "connected", account }, { ...life, linked });
  expect(summary).toEqual({ ...told, ...ann, state: "connected", linked: "2026-01-01T00:00:00.000Z" });
  expect(parseSummary(JSON.stringify(summary))).toEqual(summary);
});

describe("parseSummary", () => {
  it("reads what was written", () => {
    const summary = summaryOf({ kind: "connected", account }, life);
    expect(parseSummary(JSON.stringify(summary))).toEqual(summary);
  });
  it.each(["", "{", "[]", "null", '{"state":"deleted"}', JSON.stringify({ ...told, state: "asleep" })])("refuses '%s'", (text) => {
    expect(parseSummary(text)).toBeUndefined();
  });
});
