import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Typing, type TypingPort } from "../../../../shard/session/typing.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const aPort = (): { port: TypingPort; calls: string[] } => {
  const calls: string[] = [];
  return {
    calls,
    port: { show: async (chat, kind) => void calls.push(`show ${chat} ${kind}`), hide: async (chat) => void calls.push(`hide ${chat}`) },
  };
};

describe("Typing", () => {
  it("hides the indicator 5 seconds after it was shown", async () => {
    const { port, calls } = aPort();
    const typing = new Typing(port, () => undefined);
    await typing.send("a", "audio");
    await vi.advanceTimersByTimeAsync(4_999);
    expect(calls).toEqual(["show a audio"]);
    expect(typing.idle).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(calls).toEqual(["show a audio", "hide a"]);
    expect(typing.idle).toBe(true);
  });
  it("restarts the 5 seconds for a repeated request, in that chat only", async () => {
    const { port, calls } = aPort();
    const typing = new Typing(port, () => undefined);
    await typing.send("a", "text");
    await typing.send("b", "text");
    await vi.advanceTimersByTimeAsync(3_000);
    await typing.send("a", "text");
    await vi.advanceTimersByTimeAsync(2_000);
    expect(calls.slice(3)).toEqual(["hide b"]);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(calls.slice(3)).toEqual(["hide b", "hide a"]);
  });
  it("hides everything when the session stops, once", async () => {
    const { port, calls } = aPort();
    const typing = new Typing(port, () => undefined);
    await typing.send("a", "text");
    await typing.stop();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(calls).toEqual(["show a text", "hide a"]);
  });
  it("stops within a second even if the platform does not respond", async () => {
    const typing = new Typing({ show: async () => undefined, hide: () => new Promise(() => undefined) }, () => undefined);
    await typing.send("a", "text");
    const stopped = typing.stop();
    await vi.advanceTimersByTimeAsync(1_000);
    await stopped;
  });
  it("shows nothing when the platform rejects it, and reports indicators that could not be hidden", async () => {
    const errors: unknown[] = [];
    const refusing = new Typing({ show: () => Promise.reject(new Error("no")), hide: async () => undefined }, (error) =>
      errors.push(error),
    );
    await expect(refusing.send("a", "text")).rejects.toThrow("no");
    expect(refusing.idle).toBe(true);
    const failing = new Typing({ show: async () => undefined, hide: () => Promise.reject(new Error("gone")) }, (error) =>
      errors.push(error),
    );
    await failing.send("a", "text");
    await vi.advanceTimersByTimeAsync(5_000);
    expect(errors).toEqual([new Error("gone")]);
  });
});
