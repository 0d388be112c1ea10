import { describe, expect, it } from "vitest";
import { ApiError } from "../../../../shared/contract/api-error.js";
import { FencedError } from "../../../../shared/redis/script.js";
import { CurrentWebhook } from "../../../../shard/webhook/current-webhook.js";
import type { Webhook } from "../../../../shard/session/store/session-outbox.js";

const on = (url: string, epoch = 1): Webhook => ({ settings: { url, token: "t" }, epoch });
const [a, b] = [on("https://a.example/"), on("https://b.example/")];
const forever = new AbortController().signal;

/** Returns settings whose writes end when the test says so. */
function changeable() {
  const writes: { url: string; end: (webhook: Webhook | undefined) => void; fail: (error: Error) => void }[] = [];
  const adopted: boolean[] = [];
  const current = new CurrentWebhook({
    configure: ({ url }) => new Promise((end, fail) => void writes.push({ url, end, fail })),
    onAdopted: ({ endsEpoch }) => adopted.push(endsEpoch),
  });
  return { current, writes, adopted };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("CurrentWebhook", () => {
  it("holds the settings that were read, unless they changed meanwhile", async () => {
    const { current, writes } = changeable();
    expect(current.adoptRead(current.version, a)).toBe(true);
    expect(current.stored).toBe(a);
    const { version } = current;
    const set = current.set(b.settings, forever);
    expect(current.adoptRead(version, a)).toBe(false);
    expect(current.stored).toBeUndefined();
    writes[0]?.end(b);
    await set;
    expect(current.adoptRead(version, a)).toBe(false);
    expect(current.stored).toBe(b);
  });

  it("is settled before and after a change, not during one", async () => {
    const { current, writes, adopted } = changeable();
    current.adoptRead(current.version, a);
    expect(current.isInForce(a)).toBe(true);
    let isSettled = false;
    const set = current.set(b.settings, forever);
    void current.changeOver().then(() => (isSettled = true));
    await turn();
    expect([current.isInForce(a), isSettled]).toEqual([false, false]);
    writes[0]?.end(b);
    await set;
    await turn();
    expect([current.isInForce(a), current.isInForce(b), isSettled]).toEqual([false, true, true]);
    expect(adopted).toEqual([false]);
  });

  it("wakes waiters for a change", async () => {
    const { current, writes } = changeable();
    const changed = current.nextChange();
    const set = current.set(a.settings, forever);
    expect(changed.aborted).toBe(false);
    writes[0]?.end(a);
    await set;
    expect(changed.aborted).toBe(true);
    const left = current.nextChange();
    current.interrupt();
    expect(left.aborted).toBe(true);
  });

  it("makes one change at a time, in order", async () => {
    const { current, writes } = changeable();
    const sets = [a, b].map(({ settings }) => current.set(settings, forever));
    await turn();
    expect(writes.map(({ url }) => url)).toEqual([a.settings.url]);
    writes[0]?.end(a);
    await turn();
    expect(writes.map(({ url }) => url)).toEqual([a.settings.url, b.settings.url]);
    writes[1]?.end(b);
    await Promise.all(sets);
    expect(current.stored).toBe(b);
  });

  it.each<[string, (write: { end: (webhook: undefined) => void; fail: (error: Error) => void }) => void, new (...args: never[]) => Error]>([
    ["the session is gone", ({ end }) => end(undefined), ApiError],
    ["the slot is somebody else's", ({ fail }) => fail(new FencedError()), FencedError],
  ])("holds no settings when %s: the change may have arrived", async (_, outcome, kind) => {
    const { current, writes, adopted } = changeable();
    current.adoptRead(current.version, a);
    const { version } = current;
    const set = current.set(b.settings, forever);
    const [write] = writes;
    if (write === undefined) throw new Error("nothing was written");
    outcome(write);
    await expect(set).rejects.toBeInstanceOf(kind);
    expect(current.stored).toBeUndefined();
    expect(current.adoptRead(version, a)).toBe(false);
    expect(adopted).toEqual([]);
  });
});
