import { describe, expect, it } from "vitest";
import type { WebhookSettings } from "../../../../shared/contract/session.js";
import { defaultEventTypes, type EventType } from "../../../../shared/contract/webhook-events.js";
import type { Webhook } from "../../../../shard/session/store/session-outbox.js";
import { CurrentWebhook } from "../../../../shard/webhook/current-webhook.js";
import { RequestedTypes } from "../../../../shard/webhook/requested-types.js";

const settings = (events?: EventType[], url = "https://a.example/"): WebhookSettings => ({ url, token: "t", ...(events && { events }) });
const forever = new AbortController().signal;

/** Returns the types of a session whose reads and changes end when the test says so. */
function aSession() {
  const reads: { end: (settings: WebhookSettings) => void; fail: (error: Error) => void }[] = [];
  const changes: { end: (webhook: Webhook) => void; fail: (error: Error) => void }[] = [];
  const current = new CurrentWebhook({
    configure: () => new Promise((end, fail) => void changes.push({ end, fail })),
    onAdopted: () => undefined,
  });
  const requested = new RequestedTypes(current, () => new Promise((end, fail) => void reads.push({ end, fail })));
  return {
    current,
    requested,
    reads,
    changes,
    adopt: (of: WebhookSettings) => current.adoptRead(current.version, { settings: of, epoch: 1 }),
  };
}

describe("the types of events that a receiver gets", () => {
  it.each<[string, WebhookSettings, readonly EventType[]]>([
    ["those that it lists", settings(["call.offered", "session.state"]), ["call.offered", "session.state"]],
    ["the default ones", settings(), defaultEventTypes],
    ["none of an empty list", settings([]), []],
    ["none while the webhook is off", settings(["message.new"], ""), []],
  ])("are %s", (_, stored, types) => {
    const { requested, adopt } = aSession();
    adopt(stored);
    expect(requested.now()).toEqual(new Set(types));
  });

  it("are the same set until the settings change", () => {
    const { requested, reads, adopt } = aSession();
    adopt(settings());
    const before = requested.now();
    expect(requested.now()).toBe(before);
    expect(reads).toEqual([]);
  });

  it("are read once if the delivery has not read them", async () => {
    const { requested, reads } = aSession();
    const reading = requested.now();
    expect(reading).toBeInstanceOf(Promise);
    reads[0]?.end(settings(["message.new"]));
    expect(await reading).toEqual(new Set(["message.new"]));
    expect(requested.now()).toEqual(new Set(["message.new"]));
    expect(reads).toHaveLength(1);
  });

  it("are read again after a read that failed", async () => {
    const { requested, reads } = aSession();
    const reading = requested.now();
    reads[0]?.fail(new Error("redis is away"));
    await expect(reading).rejects.toThrow("redis is away");
    const again = requested.now();
    reads[1]?.end(settings([]));
    expect(await again).toEqual(new Set());
  });

  it("are those after a change that is under way", async () => {
    const { current, requested, changes, adopt } = aSession();
    adopt(settings(["message.new"]));
    const change = current.set(settings(["call.offered"]), forever);
    const types = requested.now();
    expect(types).toBeInstanceOf(Promise);
    changes[0]?.end({ settings: settings(["call.offered"]), epoch: 2 });
    await change;
    expect(await types).toEqual(new Set(["call.offered"]));
    expect(requested.now()).toEqual(new Set(["call.offered"]));
  });

  it("are not those that were read before a change", async () => {
    const { current, requested, reads, changes } = aSession();
    const types = requested.now();
    const change = current.set(settings(["call.offered"]), forever);
    changes[0]?.end({ settings: settings(["call.offered"]), epoch: 2 });
    await change;
    reads[0]?.end(settings(["message.new"]));
    expect(await types).toEqual(new Set(["call.offered"]));
  });

  it("are read again after a change whose outcome is unknown", async () => {
    const { current, requested, reads, changes, adopt } = aSession();
    adopt(settings(["message.new"]));
    expect(requested.now()).toEqual(new Set(["message.new"]));
    const leaving = new AbortController();
    const change = current.set(settings(["call.offered"]), leaving.signal);
    leaving.abort();
    changes[0]?.fail(new Error("redis is away"));
    await change.catch(() => undefined);
    const types = requested.now();
    reads[0]?.end(settings(["call.offered"]));
    expect(await types).toEqual(new Set(["call.offered"]));
  });
});
