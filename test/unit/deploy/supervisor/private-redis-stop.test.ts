import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { PrivateRedis } from "../../../../deploy/supervisor/private-redis.js";
import { callRedis } from "../../../../deploy/supervisor/redis-call.js";
import { silentLog } from "../../../../shared/log/logger.js";

/** Delays the real server's replies to a start's pings until the test releases them. */
let arrive: (answer: string | undefined) => Promise<void> = () => Promise.resolve();
vi.mock(import("../../../../deploy/supervisor/redis-call.js"), async (original) => {
  const real = await original();
  return {
    callRedis: async (socket, command, timeoutMs) => {
      const answer = await real.callRedis(socket, command, timeoutMs);
      if (command[0] === "PING") await arrive(answer);
      return answer;
    },
  };
});

let folder: string;
let redis: PrivateRedis;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "redis-"));
  redis = new PrivateRedis(folder, "coordination", silentLog);
});
afterEach(async () => {
  arrive = () => Promise.resolve();
  await redis.stop();
  const pid = await pidOfServer();
  if (pid !== undefined) process.kill(pid, "SIGKILL");
  rmSync(folder, { recursive: true });
});

it("stops a server that comes up at the moment of the stop: the first one", async () => {
  const { answered, release } = holdAnswer();
  const starting = redis.start();
  starting.catch(() => undefined);
  await answered;
  const stopping = redis.stop();
  release();
  await stopping;
  await expect(starting).rejects.toThrow();
  expect(await pidOfServer()).toBeUndefined();
});

it("stops a server that comes up at the moment of the stop: a restarted one", async () => {
  await redis.start();
  const { answered, release } = holdAnswer();
  const first = await pidOfServer();
  if (first === undefined) throw new Error("no server");
  process.kill(first, "SIGKILL");
  await answered;
  const stopping = redis.stop();
  release();
  await stopping;
  expect(await pidOfServer()).toBeUndefined();
});

// Between the reply and the end of the start only promise callbacks run. The stop may come after any of them.
it.each(Array.from({ length: 8 }, (_, turns) => turns))(
  "and one that had been started again just before: %i turns after its answer",
  async (turns) => {
    await redis.start();
    const first = await pidOfServer();
    if (first === undefined) throw new Error("no server");
    const stopped = new Promise<void>((resolve, reject) => {
      arrive = (answer) => {
        if (answer === "PONG") void after(turns, () => void redis.stop().then(resolve, reject));
        return Promise.resolve();
      };
    });
    process.kill(first, "SIGKILL");
    await stopped;
    expect(await pidOfServer()).toBeUndefined();
  },
);

async function after(turns: number, run: () => void): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
  run();
}

/** Holds back the first reply of a running server. */
function holdAnswer(): { answered: Promise<void>; release: () => void } {
  let release = (): void => undefined;
  const gate = new Promise<void>((resolve) => (release = resolve));
  const answered = new Promise<void>((resolve) => {
    arrive = async (answer) => {
      if (answer !== "PONG") return;
      resolve();
      await gate;
    };
  });
  return { answered, release };
}

async function pidOfServer(): Promise<number | undefined> {
  const pid = /process_id:(\d+)/.exec((await callRedis(redis.url, ["INFO", "server"], 2_000)) ?? "")?.[1];
  return pid === undefined ? undefined : Number(pid);
}
