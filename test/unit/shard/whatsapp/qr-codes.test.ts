import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { QrCodes } from "../../../../shard/whatsapp/qr-codes.js";

let shown: string[];
let ended: number;
let codes: QrCodes;
const address = "https://wa.me/settings/linked_devices";
const text = (reference: string, secret = "secret"): string => `${address}#${reference},noise,identity,${secret},1`;

beforeEach(() => {
  vi.useFakeTimers();
  [shown, ended] = [[], 0];
  codes = new QrCodes({ show: (one) => shown.push(one), ended: () => (ended += 1), qrMs: undefined });
  codes.take(["2@a", "2@b", "2@c"]);
  codes.begin(text("2@a"));
});
afterEach(() => {
  codes.stop();
  vi.useRealTimers();
});

it("shows the first code for a minute, the others for 20 s each, and ends behind the last", () => {
  expect(shown).toEqual([text("2@a")]);
  vi.advanceTimersByTime(59_999);
  expect(shown).toHaveLength(1);
  vi.advanceTimersByTime(1 + 20_000);
  expect(shown).toEqual([text("2@a"), text("2@b"), text("2@c")]);
  vi.advanceTimersByTime(19_999);
  expect(ended).toBe(0);
  vi.advanceTimersByTime(1);
  expect([shown.length, ended]).toEqual([3, 1]);
});

it("shows the present code with another secret, and goes on with that", () => {
  vi.advanceTimersByTime(60_000);
  codes.renew("other");
  vi.advanceTimersByTime(20_000);
  expect(shown).toEqual([text("2@a"), text("2@b"), text("2@b", "other"), text("2@c", "other")]);
});

it("shows none, and does not end, once it was stopped", () => {
  codes.stop();
  codes.renew("other");
  vi.advanceTimersByTime(600_000);
  expect([shown.length, ended]).toEqual([1, 0]);
});

it("restarts with further references from the platform", () => {
  codes.take(["2@x", "2@y"]);
  codes.begin(text("2@x"));
  vi.advanceTimersByTime(60_000);
  expect(shown).toEqual([text("2@a"), text("2@x"), text("2@y")]);
});
