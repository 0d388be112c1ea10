import { describe, expect, it } from "vitest";
import { FencedError } from "../../../../shared/redis/script.js";
import { UnreadableRecord } from "../../../../shared/session/unreadable-record.js";
import type { Webhook } from "../../../../shard/session/store/session-outbox.js";
import {
  afterAttempt,
  afterTrouble,
  endsEpoch,
  healthOf,
  planDelivery,
  type NextStep,
  type DeliveryStep,
  type DeliveryView,
} from "../../../../shard/webhook/delivery-plan.js";
import type { AttemptResult } from "../../../../shard/webhook/attempt-result.js";
import { defaultTiming as timing } from "../../../../shard/webhook/timing.js";

const event = { entry: "1-0", id: "e1", epoch: 3, body: Buffer.from("{}"), requestId: "" };
const view = (change: Partial<DeliveryView> = {}): DeliveryView => ({ event, epoch: 3, ageMs: 5_000, attempts: 0, waitMs: 0, ...change });
const { eventMs } = timing;

describe("planDelivery", () => {
  it.each<[string, Partial<DeliveryView>, DeliveryStep]>([
    ["is sent", {}, { kind: "send" }],
    ["is sent again when its wait is over", { attempts: 7, waitMs: -1 }, { kind: "send" }],
    ["waits", { attempts: 1, waitMs: 2_000 }, { kind: "wait", ms: 2_000 }],
    ["waits no longer than it may get old", { attempts: 1, waitMs: 900_000, ageMs: eventMs - 3_000 }, { kind: "wait", ms: 3_001 }],
    ["is sent at the last moment of its day", { ageMs: eventMs }, { kind: "send" }],
    ["is given up after a day", { ageMs: eventMs + 1 }, { kind: "give-up", reason: "expired" }],
    ["also while it waits", { ageMs: eventMs + 1, waitMs: 60_000 }, { kind: "give-up", reason: "expired" }],
    ["is sent a hundredth time", { attempts: 99 }, { kind: "send" }],
    ["and not more often", { attempts: 100 }, { kind: "give-up", reason: "attempts" }],
    [
      "whose bytes were altered is given up at once",
      { event: { entry: "1-0" }, waitMs: 60_000 },
      { kind: "give-up", reason: "unreadable" },
    ],
    ["of an epoch that is over is forgotten", { epoch: 4 }, { kind: "forget" }],
    ["also when it is too old, for it is no dead letter of this epoch", { epoch: 4, ageMs: eventMs + 1 }, { kind: "forget" }],
    ["also of one that has not begun here", { epoch: 2 }, { kind: "forget" }],
  ])("an event %s", (_, change, step) => {
    expect(planDelivery(view(change), timing)).toEqual(step);
  });
});

describe("afterAnswer", () => {
  const [first = 0, second = 0] = timing.delaysMs;
  const retry = (attempts: number, delayMs: number): NextStep => ({ kind: "retry", attempts, delayMs, store: true });

  it.each<[string, AttemptResult, { attempts: number; current: boolean }, NextStep]>([
    ["taken", { outcome: "delivered", status: 204 }, { attempts: 4, current: true }, { kind: "delivered" }],
    [
      "taken under settings that have changed since",
      { outcome: "delivered", status: 200 },
      { attempts: 0, current: false },
      { kind: "delivered" },
    ],
    ["broken off by us", { outcome: "ended" }, { attempts: 4, current: true }, { kind: "none" }],
    ["broken off by us when the settings changed", { outcome: "ended" }, { attempts: 4, current: false }, { kind: "none" }],
    ["refused", { outcome: "client-error", status: 404 }, { attempts: 0, current: true }, retry(1, first)],
    ["refused again", { outcome: "client-error", status: 404 }, { attempts: 1, current: true }, retry(2, second)],
    ["sent elsewhere, where nobody follows", { outcome: "redirect", status: 302 }, { attempts: 0, current: true }, retry(1, first)],
    ["failed", { outcome: "server-error", status: 503 }, { attempts: 0, current: true }, retry(1, first)],
    [
      "failed, and asked to come later",
      { outcome: "server-error", status: 503, retryAfterMs: 50_000 },
      { attempts: 0, current: true },
      retry(1, 50_000),
    ],
    [
      "gone for good: seldom, for it may be a mistake",
      { outcome: "client-error", status: 410 },
      { attempts: 0, current: true },
      retry(1, timing.delayMaxMs),
    ],
    ["no answer in time", { outcome: "timeout" }, { attempts: 0, current: true }, retry(1, first)],
    ["no connection", { outcome: "network" }, { attempts: 0, current: true }, retry(1, first)],
    ["a certificate that is not good", { outcome: "tls" }, { attempts: 0, current: true }, retry(1, first)],
    ["an address that must not be called", { outcome: "blocked" }, { attempts: 0, current: true }, retry(1, first)],
    [
      "failed under settings that have changed since: the new ones are tried at once",
      { outcome: "server-error", status: 503, retryAfterMs: 50_000 },
      { attempts: 6, current: false },
      { kind: "retry", attempts: 7, delayMs: 0, store: false },
    ],
  ])("%s", (_, result, before, step) => {
    expect(afterAttempt(result, before, timing, () => 0.5)).toEqual(step);
  });
});

describe("healthOf", () => {
  it.each<[string, AttemptResult, "alive" | "failed" | "unspent"]>([
    ["taken", { outcome: "delivered", status: 200 }, "alive"],
    ["a redirect", { outcome: "redirect", status: 301 }, "alive"],
    ["one tenant's wrong path", { outcome: "client-error", status: 404 }, "alive"],
    ["too many requests", { outcome: "client-error", status: 429 }, "alive"],
    ["a failure of its own", { outcome: "server-error", status: 500 }, "failed"],
    ["no answer in time", { outcome: "timeout" }, "failed"],
    ["no connection", { outcome: "network" }, "failed"],
    ["a certificate that is not good", { outcome: "tls" }, "failed"],
    ["an address that must not be called", { outcome: "blocked" }, "failed"],
    ["broken off by us", { outcome: "ended" }, "unspent"],
  ])("%s", (_, result, health) => {
    expect(healthOf(result)).toBe(health);
  });
});

describe("endsEpoch", () => {
  const on = (url: string, epoch: number): Webhook => ({ settings: { url, token: "t" }, epoch });
  const off = (epoch: number): Webhook => ({ settings: { url: "", token: "" }, epoch });
  it.each<[string, Webhook | undefined, Webhook, boolean]>([
    ["on", off(1), on("https://a.example/", 2), true],
    ["off", on("https://a.example/", 2), off(3), true],
    ["another address: what waits goes there", on("https://a.example/", 2), on("https://b.example/", 2), false],
    ["another token", on("https://a.example/", 2), { settings: { url: "https://a.example/", token: "u" }, epoch: 2 }, false],
    ["off and on again before anybody looked", on("https://a.example/", 2), on("https://a.example/", 4), true],
    ["nobody knows what was", undefined, on("https://a.example/", 2), true],
  ])("%s", (_, before, after, ends) => {
    expect(endsEpoch(before, after)).toBe(ends);
  });
});

describe("afterTrouble", () => {
  it.each<[string, unknown, ReturnType<typeof afterTrouble>]>([
    ["the slot is somebody else's", new FencedError(), { kind: "end" }],
    ["a record does not open: it is looked at from time to time", new UnreadableRecord("webhook"), { kind: "pause", ms: 60_000 }],
    ["Redis does not answer", new Error("Command timed out"), { kind: "pause", ms: timing.redisPauseMs }],
  ])("%s", (_, error, step) => {
    expect(afterTrouble(error, timing)).toEqual(step);
  });
});
