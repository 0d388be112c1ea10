import { describe, expect, it } from "vitest";
import type { PasskeyStep } from "../../../../shared/contract/passkey.js";
import { disconnectedMs, passkeyWaitMs, passwordWaitMs, qrValidityMs } from "../../../../shared/limits.js";
import { initialState, transition, type Account, type SessionEvent, type SessionState } from "../../../../shared/session/state.js";

const account: Account = { generatedId: "7", name: "Ann", username: "ann", phone: "15550001", picture: "" };
const awaitingQr: SessionState = { kind: "awaiting-qr", qr: "tg://login?token=x", elapsedMs: 5 };
const awaitingCode: SessionState = { kind: "awaiting-qr", qr: "", pairingCode: "ABCD1234", elapsedMs: 6 };
const refused: SessionState = { kind: "awaiting-qr", qr: "", refusal: "passkey", elapsedMs: 6 };
const refusedPasskey: SessionState = { ...refused, refusedToken: "t" };
const passkey: PasskeyStep = { step: "challenge", token: "t", code: "", expires: "2026-11-22T23:10:00.000Z" };
const sent: PasskeyStep = { ...passkey, step: "sent" };
const asked: SessionState = { kind: "awaiting-qr", qr: "", passkey, elapsedMs: 8 };
const awaitingPassword: SessionState = { kind: "awaiting-password", hint: "pet", elapsedMs: 7 };
const connected: SessionState = { kind: "connected", account };
const linked: SessionState = { ...connected, linked: { token: "t", until: passkey.expires } };
const disconnected: SessionState = { kind: "disconnected", account, elapsedMs: 9 };
const deleted: SessionState = { kind: "deleted", reason: "owner" };

describe("transition", () => {
  const table: [string, SessionState, SessionEvent, SessionState][] = [
    ["a QR replaces the former one and keeps the count", awaitingQr, { type: "qr-issued", qr: "new" }, { ...awaitingQr, qr: "new" }],
    ["a scan without password connects", awaitingQr, { type: "logged-in", account }, connected],
    [
      "a scan with password asks for it and empties the QR",
      awaitingQr,
      { type: "password-required", hint: "pet" },
      { kind: "awaiting-password", hint: "pet", elapsedMs: 0 },
    ],
    ["the right password connects", awaitingPassword, { type: "logged-in", account }, connected],
    [
      "a repeated demand for the password keeps the count",
      awaitingPassword,
      { type: "password-required", hint: "dog" },
      { ...awaitingPassword, hint: "dog" },
    ],
    [
      "a pairing code stands in place of a QR and keeps the count",
      awaitingQr,
      { type: "pairing-code-issued", pairingCode: "ABCD1234" },
      { kind: "awaiting-qr", qr: "", pairingCode: "ABCD1234", elapsedMs: 5 },
    ],
    [
      "a refusal takes the code away and keeps the count",
      awaitingCode,
      { type: "linking-refused", refusal: "passkey" },
      { kind: "awaiting-qr", qr: "", elapsedMs: 6, refusal: "passkey" },
    ],
    ["no code is shown after a refusal", refused, { type: "qr-issued", qr: "new" }, refused],
    ["no pairing code is shown after a refusal", refused, { type: "pairing-code-issued", pairingCode: "X" }, refused],
    ["a refusal survives a lost connection", refused, { type: "connection-lost" }, refused],
    ["a refusal that was overcome connects", refused, { type: "logged-in", account }, connected],
    ["a reset forgets a refusal", refused, { type: "reset" }, initialState],
    ["a late refusal does not touch a connected session", connected, { type: "linking-refused", refusal: "late" }, connected],
    [
      "a passkey takes the place of the codes, and has its own time",
      awaitingCode,
      { type: "passkey-step", passkey },
      { ...asked, elapsedMs: 0 },
    ],
    ["no code is shown while a passkey is asked for", asked, { type: "qr-issued", qr: "new" }, asked],
    ["no pairing code is shown while a passkey is asked for", asked, { type: "pairing-code-issued", pairingCode: "X" }, asked],
    ["a passkey that is asked for survives a lost connection", asked, { type: "connection-lost" }, asked],
    ["each step of a passkey has its own time", asked, { type: "passkey-step", passkey: sent }, { ...asked, passkey: sent, elapsedMs: 0 }],
    [
      "why a passkey did not do can be read for as long as a QR is shown",
      asked,
      { type: "linking-refused", refusal: "late" },
      { kind: "awaiting-qr", qr: "", refusal: "late", refusedToken: "t", elapsedMs: 0 },
    ],
    [
      "whose passkey did not do is told so also after a later refusal",
      refusedPasskey,
      { type: "linking-refused", refusal: "later" },
      { ...refusedPasskey, refusal: "later" },
    ],
    ["whose passkey did not do is told so also after a refused login", refusedPasskey, { type: "logged-out" }, refusedPasskey],
    ["a reset forgets whose passkey did not do", refusedPasskey, { type: "reset" }, initialState],
    ["a passkey is not asked for after a refusal", refused, { type: "passkey-step", passkey }, refused],
    ["a passkey that did connects, and is known for its last step's time", asked, { type: "logged-in", account }, linked],
    ["a login that is told of twice leaves that known", linked, { type: "logged-in", account }, linked],
    ["an account that changes leaves that known", linked, { type: "account-changed", account }, linked],
    ["a lost connection forgets that", linked, { type: "connection-lost" }, { ...disconnected, elapsedMs: 0 }],
    ["a reset forgets a passkey", asked, { type: "reset" }, initialState],
    ["a refused login forgets a passkey", asked, { type: "logged-out" }, initialState],
    ["a late step does not touch a connected session", connected, { type: "passkey-step", passkey }, connected],
    ["a pairing code that was typed connects", awaitingCode, { type: "logged-in", account }, connected],
    ["a pairing code goes with its connection", awaitingCode, { type: "connection-lost" }, { kind: "awaiting-qr", qr: "", elapsedMs: 6 }],
    ["a refused login takes the pairing code with it", awaitingCode, { type: "logged-out" }, { kind: "awaiting-qr", qr: "", elapsedMs: 6 }],
    ["a late pairing code does not touch a connected session", connected, { type: "pairing-code-issued", pairingCode: "X" }, connected],
    ["a removed device gets a new QR at once", connected, { type: "logged-out" }, initialState],
    ["a session ended while disconnected gets a new QR", disconnected, { type: "logged-out" }, initialState],
    [
      "a lost connection disconnects and starts to count",
      connected,
      { type: "connection-lost" },
      { kind: "disconnected", account, elapsedMs: 0 },
    ],
    ["a second loss does not restart the count", disconnected, { type: "connection-lost" }, disconnected],
    ["a reconnect restores the account", disconnected, { type: "logged-in", account }, connected],
    ["a code that cannot be renewed is not shown any more", awaitingQr, { type: "connection-lost" }, { ...awaitingQr, qr: "" }],
    ["a password that is awaited survives a lost connection", awaitingPassword, { type: "connection-lost" }, awaitingPassword],
    ["a reset begins anew from anywhere", connected, { type: "reset" }, initialState],
    [
      "a changed picture shows",
      connected,
      { type: "account-changed", account: { ...account, picture: "p" } },
      { kind: "connected", account: { ...account, picture: "p" } },
    ],
    ["a late QR does not touch a connected session", connected, { type: "qr-issued", qr: "late" }, connected],
    ["a late password demand does not touch a connected session", connected, { type: "password-required", hint: "late" }, connected],
    ["time means nothing to a connected session", connected, { type: "elapsed", ms: 10 ** 9 }, connected],
  ];
  it.each(table)("%s", (_, state, event, after) => {
    expect(transition(state, event)).toEqual(after);
  });

  const everyState = [awaitingQr, awaitingPassword, connected, disconnected];
  it.each(everyState)("the owner deletes from $kind", (state) => {
    expect(transition(state, { type: "deleted-by-owner" })).toEqual({ kind: "deleted", reason: "owner" });
  });

  it("nothing moves a deleted session", () => {
    const events: SessionEvent[] = [
      { type: "qr-issued", qr: "x" },
      { type: "logged-in", account },
      { type: "reset" },
      { type: "elapsed", ms: 1 },
      { type: "logged-out" },
    ];
    for (const event of events) expect(transition(deleted, event)).toBe(deleted);
  });
});

describe("elapsed live time", () => {
  it("deletes an unscanned QR at 3 minutes, not before", () => {
    const state: SessionState = { kind: "awaiting-qr", qr: "", elapsedMs: 0 };
    expect(transition(state, { type: "elapsed", ms: qrValidityMs - 1 })).toEqual({ ...state, elapsedMs: qrValidityMs - 1 });
    expect(transition(state, { type: "elapsed", ms: qrValidityMs })).toEqual({ kind: "deleted", reason: "qr-expired" });
  });
  it("deletes a session whose passkey did not come at 11 minutes, not before", () => {
    const state: SessionState = { ...asked, elapsedMs: 0 };
    expect(transition(state, { type: "elapsed", ms: passkeyWaitMs - 1 })).toEqual({ ...state, elapsedMs: passkeyWaitMs - 1 });
    expect(transition(state, { type: "elapsed", ms: passkeyWaitMs })).toEqual({ kind: "deleted", reason: "qr-expired" });
  });
  it("deletes an awaited password at 30 minutes, not before", () => {
    expect(transition({ ...awaitingPassword, elapsedMs: 0 }, { type: "elapsed", ms: passwordWaitMs - 1 }).kind).toBe("awaiting-password");
    expect(transition({ ...awaitingPassword, elapsedMs: 1 }, { type: "elapsed", ms: passwordWaitMs - 1 })).toEqual({
      kind: "deleted",
      reason: "password-expired",
    });
  });
  it("deletes a disconnected session after more than 30 minutes", () => {
    expect(transition({ ...disconnected, elapsedMs: 0 }, { type: "elapsed", ms: disconnectedMs }).kind).toBe("disconnected");
    expect(transition({ ...disconnected, elapsedMs: 1 }, { type: "elapsed", ms: disconnectedMs })).toEqual({
      kind: "deleted",
      reason: "disconnected-too-long",
    });
  });
  it("never runs backwards", () => {
    expect(transition(disconnected, { type: "elapsed", ms: -5 })).toEqual(disconnected);
  });
});
