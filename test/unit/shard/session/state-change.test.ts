import { expect, it } from "vitest";
import { disconnectedMs } from "../../../../shared/limits.js";
import { initialState, type Account, type SessionEvent, type SessionState } from "../../../../shared/session/state.js";
import { changeOf, showsAnother, type StateChange } from "../../../../shard/session/state-change.js";

const account: Account = { generatedId: "7", name: "Ann", username: "ann", phone: "15550001", picture: "" };
const awaitingQr: SessionState = { kind: "awaiting-qr", qr: "tg://login?token=x", elapsedMs: 5 };
const connected: SessionState = { kind: "connected", account };
const disconnected: SessionState = { kind: "disconnected", account, elapsedMs: 9 };
const unreadable: SessionState = { ...awaitingQr, unreadable: true };

const nothing: StateChange = { kind: "nothing" };
const clear = { kind: "clear" } as const;

const table: [string, SessionState, SessionEvent, StateChange][] = [
  ["an empty QR clears the picture", initialState, { type: "qr-issued", qr: "" }, stored(initialState, clear)],
  [
    "a new QR is drawn",
    initialState,
    { type: "qr-issued", qr: "x" },
    stored({ kind: "awaiting-qr", qr: "x", elapsedMs: 0 }, { kind: "draw", text: "x" }),
  ],
  [
    "another QR is drawn",
    awaitingQr,
    { type: "qr-issued", qr: "x" },
    stored({ kind: "awaiting-qr", qr: "x", elapsedMs: 5 }, { kind: "draw", text: "x" }),
  ],
  ["the same QR is kept", awaitingQr, { type: "elapsed", ms: 1 }, stored({ ...awaitingQr, elapsedMs: 6 }, { kind: "keep" })],
  ["a mark keeps the QR", awaitingQr, { type: "record-unreadable" }, stored(unreadable, { kind: "keep" })],
  ["a removed mark keeps the QR", unreadable, { type: "record-opened" }, stored(awaitingQr, { kind: "keep" })],
  [
    "a pairing code takes the QR's place",
    awaitingQr,
    { type: "pairing-code-issued", pairingCode: "ABCD1234" },
    stored({ kind: "awaiting-qr", qr: "", pairingCode: "ABCD1234", elapsedMs: 5 }, clear),
  ],
  ["a login clears the QR", awaitingQr, { type: "logged-in", account }, stored(connected, clear)],
  ["a lost connection", connected, { type: "connection-lost" }, stored({ kind: "disconnected", account, elapsedMs: 0 }, clear)],
  ["a reset", connected, { type: "reset" }, stored(initialState, clear)],
  ["an event that means nothing", connected, { type: "qr-issued", qr: "x" }, nothing],
  [
    "the owner's deletion judges nothing",
    disconnected,
    { type: "deleted-by-owner" },
    { kind: "remove", state: { kind: "deleted", reason: "owner" }, expected: undefined },
  ],
  [
    "a timer's deletion names the state that it judged",
    disconnected,
    { type: "elapsed", ms: disconnectedMs },
    { kind: "remove", state: { kind: "deleted", reason: "disconnected-too-long" }, expected: disconnected },
  ],
  ["a deletion of a deleted session", { kind: "deleted", reason: "owner" }, { type: "deleted-by-owner" }, nothing],
];

it.each(table)("%s", (_, before, event, expected) => {
  expect(changeOf(before, event)).toEqual(expected);
});

function stored(state: SessionState, qr: (StateChange & { kind: "store" })["qr"]): StateChange {
  return { kind: "store", state, qr };
}

it.each<[string, SessionState, SessionState, boolean]>([
  ["the first code", initialState, awaitingQr, true],
  ["another code", awaitingQr, { ...awaitingQr, qr: "tg://login?token=y" }, true],
  ["a code that is gone", awaitingQr, initialState, true],
  ["a pairing code", awaitingQr, { ...awaitingQr, qr: "", pairingCode: "ABCD1234" }, true],
  ["a refusal", awaitingQr, { ...awaitingQr, refusal: "passkey" }, true],
  ["the same code, later", awaitingQr, { ...awaitingQr, elapsedMs: 9_000 }, false],
  ["a mark", awaitingQr, unreadable, false],
  ["a login", awaitingQr, connected, false],
  ["a log-out", connected, initialState, false],
])("%s: shows another %s", (_, before, after, another) => {
  expect(showsAnother(before, after)).toBe(another);
});
