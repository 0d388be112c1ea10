import { describe, expect, it } from "vitest";
import { StartProgress } from "../../../../deploy/supervisor/start-progress.js";

describe("StartProgress", () => {
  function at(isTTY: boolean): { progress: StartProgress; written: string[]; pass: (ms: number) => void } {
    const written: string[] = [];
    let now = 0;
    const progress = new StartProgress({ isTTY, write: (text) => written.push(text) }, () => now);
    return { progress, written, pass: (ms) => (now += ms) };
  }

  it("draws what is being started in one line, and leaves one line of what was", () => {
    const { progress, written, pass } = at(true);
    progress.starting("data folder");
    progress.starting("ports");
    progress.starting("redis");
    pass(1_240);
    progress.starting("keys");
    progress.starting("shards");
    pass(3_000);
    progress.finish();
    progress.finish();
    expect(written).toEqual([
      "\r\u001b[Kstart: waiting for free ports ... 0 s",
      "\r\u001b[K",
      "\r\u001b[Kstart: starting Redis ... 0 s",
      "\r\u001b[Kstart: Redis started (1.2 s)\n",
      "\r\u001b[Kstart: starting shards ... 0 s",
      "\r\u001b[Kstart: shards started (3.0 s)\n",
    ]);
  });

  it("takes its line away when the start fails", () => {
    const { progress, written } = at(true);
    progress.starting("routers");
    progress.drop();
    expect(written.at(-1)).toBe("\r\u001b[K");
  });

  it("prints nothing without a terminal", () => {
    const { progress, written } = at(false);
    progress.starting("redis");
    progress.finish();
    expect(written).toEqual([]);
  });
});
