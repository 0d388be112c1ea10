import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { silentLog } from "../../../../../shared/log/logger.js";
import type { UpdateEvent } from "../../../../../shard/session/session-context.js";
import type { IncomingStanza } from "../../../../../shard/whatsapp/events/incoming-stanza.js";
import { UnreadableMessages } from "../../../../../shard/whatsapp/events/unreadable-messages.js";
import { aStanza } from "./events-under-test.js";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const waitMs = 60_000;
const idOf = ({ id }: IncomingStanza): string => id;
const eventOf = (stanza: IncomingStanza): UpdateEvent => ({ id: idOf(stanza), type: "message.new", created: "", data: {} });
const numbered = (id: string): IncomingStanza => aStanza({ id });

/** The stored list of one session, whose owners come one after the other. */
function aSession() {
  let stored: Buffer | undefined;
  const reported: string[] = [];
  const failures: Error[] = [];
  let writes = 0;
  const owner = (): UnreadableMessages =>
    new UnreadableMessages({
      secrets: {
        getMany: () => Promise.resolve([stored]),
        apply: (changes, events = []) => {
          writes += 1;
          const failure = failures.shift();
          if (failure !== undefined) return Promise.reject(failure);
          [stored] = changes.values();
          reported.push(...events.map(({ id }) => id));
          return Promise.resolve();
        },
      },
      idOf,
      report: (stanza) => Promise.resolve([eventOf(stanza)]),
      isConnected: () => true,
      waitMs,
      log: silentLog,
    });
  return {
    owner,
    reported,
    failures,
    write: (text: string) => void (stored = Buffer.from(text)),
    writes: () => writes,
    list: () => (JSON.parse(stored?.toString() ?? "[]") as { stanza: IncomingStanza }[]).map(({ stanza }) => stanza.id),
  };
}

describe("a message that cannot be read", () => {
  it("is stored at once, and reported without content when it has not arrived in time", async () => {
    const { owner, list, reported } = aSession();
    const messages = owner();
    await messages.add(numbered("1"));
    await vi.advanceTimersByTimeAsync(waitMs / 2);
    await messages.add(numbered("2"));
    expect([list(), reported]).toEqual([["1", "2"], []]);
    await vi.advanceTimersByTimeAsync(2 * waitMs);
    expect([list(), reported]).toEqual([[], ["1", "2"]]);
  });

  it("is written once, however often it is delivered", async () => {
    const { owner, writes } = aSession();
    const messages = owner();
    for (let count = 0; count < 5; count++) await messages.add(numbered("1"));
    expect(writes()).toBe(1);
  });

  it("is not reported when it has arrived, by this owner or the next one", async () => {
    const { owner, list, reported, writes } = aSession();
    const messages = owner();
    await messages.add(numbered("1"));
    await messages.arrived(numbered("1"));
    await messages.arrived(numbered("other"));
    await vi.advanceTimersByTimeAsync(0);
    expect([list(), writes()]).toEqual([[], 2]);
    const next = owner();
    await next.load();
    await vi.advanceTimersByTimeAsync(2 * waitMs);
    expect(reported).toEqual([]);
  });

  it("is reported by the next owner, at its own time", async () => {
    const { owner, reported } = aSession();
    const [first, next] = [owner(), owner()];
    await first.add(numbered("1"));
    first.stop();
    await next.load();
    await vi.advanceTimersByTimeAsync(waitMs - 1);
    expect(reported).toEqual([]);
    await vi.advanceTimersByTimeAsync(waitMs);
    expect(reported).toEqual(["1"]);
  });

  it("is stored when it is delivered again, if the first write failed", async () => {
    const { owner, failures, list } = aSession();
    const messages = owner();
    failures.push(new Error("redis is away"));
    await expect(messages.add(numbered("1"))).rejects.toThrow("redis is away");
    await messages.add(numbered("1"));
    expect(list()).toEqual(["1"]);
  });

  it("is reported later if the report cannot be stored", async () => {
    const { owner, failures, reported } = aSession();
    const messages = owner();
    await messages.add(numbered("1"));
    await vi.advanceTimersByTimeAsync(waitMs - 1);
    await messages.add(numbered("2"));
    failures.push(new Error("redis is away"));
    await vi.advanceTimersByTimeAsync(1);
    expect(reported).toEqual([]);
    await vi.advanceTimersByTimeAsync(3 * waitMs);
    expect(reported).toContain("1");
  });

  it("is reported at once when a hundred others wait", async () => {
    const { owner, list, reported } = aSession();
    const messages = owner();
    for (let count = 0; count < 105; count++) await messages.add(numbered(String(count)));
    expect(reported).toEqual(["0", "1", "2", "3", "4"]);
    expect(list()).toHaveLength(100);
  });

  it("is forgotten with the account", async () => {
    const { owner, reported } = aSession();
    const messages = owner();
    await messages.add(numbered("1"));
    messages.clear();
    await vi.advanceTimersByTimeAsync(2 * waitMs);
    expect(reported).toEqual([]);
  });
});

describe("a stored list", () => {
  it.each(["{}", '[{"dueAt":"soon"}]', '[{"stanza":{},"dueAt":1}]'])("of another shape counts as empty: %s", async (text) => {
    const { owner, write, reported } = aSession();
    write(text);
    await owner().load();
    await vi.advanceTimersByTimeAsync(2 * waitMs);
    expect(reported).toEqual([]);
  });

  it("of a host whose clock was wrong is reported in time, without a write per turn", async () => {
    const { owner, write, writes, reported } = aSession();
    write(JSON.stringify([{ stanza: numbered("1"), dueAt: Date.now() + 1e12 }]));
    await owner().load();
    await vi.advanceTimersByTimeAsync(2 * waitMs);
    expect([writes(), reported]).toEqual([1, ["1"]]);
  });
});
