import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { Worker } from "node:worker_threads";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { KeepAlive } from "../../../../shard/whatsapp/network/keep-alive.js";
import { eventually } from "../../../harness/eventually.js";

describe("the schedule", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setImmediate", "clearImmediate", "performance"] }));
  afterEach(() => void vi.useRealTimers());

  /** `responds` returns whether the server replies to the ping of that number, from 1 on. */
  function watch(responds: (ping: number) => boolean): { keepAlive: KeepAlive; pings: () => number; silences: number[] } {
    let pings = 0;
    const silences: number[] = [];
    const keepAlive = new KeepAlive({
      pingMs: 30_000,
      ping: () => {
        pings += 1;
        if (responds(pings)) keepAlive.received();
      },
      onSilence: (silentMs) => void silences.push(Math.round(silentMs / 1_000)),
    });
    keepAlive.start();
    return { keepAlive, pings: () => pings, silences };
  }

  it("pings every 30 s while the server responds", async () => {
    const { keepAlive, pings, silences } = watch(() => true);
    await vi.advanceTimersByTimeAsync(3_600_500);
    expect(pings()).toBe(120);
    expect(silences).toEqual([]);
    keepAlive.stop();
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(pings()).toBe(120);
  });

  it("pings a silent server once more after 5 s, and finds it silent 5 s later, once", async () => {
    const { pings, silences } = watch((ping) => ping === 1);
    await vi.advanceTimersByTimeAsync(600_000);
    // The last byte arrived at 30 s; pings went out at 60 and 65 s.
    expect(silences).toEqual([40]);
    expect(pings()).toBe(3);
  });

  it("counts any bytes from the server as a response, including those for its last ping", async () => {
    const talking = watch(() => false);
    const hesitating = watch((ping) => ping % 2 === 0);
    for (let second = 0; second < 3_600; second += 9) {
      await vi.advanceTimersByTimeAsync(9_000);
      talking.keepAlive.received();
    }
    for (const { keepAlive, silences } of [talking, hesitating]) {
      expect(silences).toEqual([]);
      keepAlive.stop();
    }
  });
});

describe("a probe, after another request got no response", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setImmediate", "clearImmediate", "performance"] }));
  afterEach(() => void vi.useRealTimers());

  it("pings at once, so that a silent server is found 10 s later", async () => {
    const silences: number[] = [];
    let pings = 0;
    const keepAlive = new KeepAlive({ pingMs: 30_000, ping: () => (pings += 1), onSilence: (ms) => silences.push(Math.round(ms / 1_000)) });
    keepAlive.probe();
    keepAlive.start();
    expect(pings).toBe(0);
    await vi.advanceTimersByTimeAsync(1_000);
    keepAlive.probe();
    keepAlive.probe();
    expect(pings).toBe(1);
    await vi.advanceTimersByTimeAsync(600_000);
    expect([pings, silences]).toEqual([2, [11]]);
    keepAlive.probe();
    expect(pings).toBe(2);
  });
});

describe("a process that stands still again and again", () => {
  const [pingMs, graceMs, stillMs, responseMs] = [200, 100, 1_000, 50];
  const standStill = (): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, stillMs);
  /** The server runs on its own thread, so it continues while this thread is blocked. */
  const server = `const { createServer } = require("node:net");
    const answer = (socket) => ANSWERS && setTimeout(() => socket.write("pong"), ${responseMs});
    const server = createServer((socket) => socket.on("error", () => undefined).on("data", () => answer(socket)));
    server.listen(0, "127.0.0.1", () => require("node:worker_threads").parentPort.postMessage(server.address().port));`;
  let worker: Worker;
  let socket: Socket;
  afterEach(async () => {
    socket.destroy();
    await worker.terminate();
  });

  /**
   * Blocks the process for longer than a server may be silent: once after a reply, with an empty socket, and once right after a ping, so
   * that the reply is unread when the last check is due.
   */
  async function watch(responds: boolean): Promise<{ keepAlive: KeepAlive; pings: () => number; silences: number[] }> {
    worker = new Worker(server.replace("ANSWERS", String(responds)), { eval: true });
    const [port] = (await once(worker, "message")) as [number];
    socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    let pings = 0;
    const silences: number[] = [];
    const keepAlive = new KeepAlive({
      pingMs,
      graceMs,
      ping: () => {
        pings += 1;
        socket.write("ping");
        // The block starts in an immediate, so that overdue timers run right after it, before the loop reads its sockets.
        setTimeout(() => setImmediate(standStill), pings % 2 === 1 ? 3 * responseMs : 1);
      },
      onSilence: (silentMs) => void silences.push(silentMs),
    });
    socket.on("data", () => keepAlive.received());
    keepAlive.start();
    return { keepAlive, pings: () => pings, silences };
  }

  it("reads pending bytes from its socket before it judges", async () => {
    const { keepAlive, pings, silences } = await watch(true);
    await eventually("four pings", () => pings() >= 4);
    keepAlive.stop();
    expect(silences).toEqual([]);
  });

  it("still finds a server that is silent", async () => {
    const { pings, silences } = await watch(false);
    await eventually("the silence", () => silences.length > 0);
    expect(pings()).toBeLessThan(4);
  });
});
