import { afterEach, expect, it, vi } from "vitest";
import { createLog } from "../../../../shared/log/logger.js";
import { startRedis } from "../../../harness/redis.js";

afterEach(() => {
  vi.restoreAllMocks();
});

/** Returns the log line of an error. */
function logged(err: unknown): string {
  const write = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  createLog({}, "debug").warn({ err }, "something failed");
  const line = String(write.mock.calls[0]?.[0]);
  vi.restoreAllMocks();
  return line;
}

it("logs a Redis error reply without the command, whose keys and values are secrets", async () => {
  const redis = await startRedis();
  try {
    await redis.client.set("session:{1}:0123456789abcdef01234567", "text");
    const error: unknown = await redis.client
      .hset("session:{1}:0123456789abcdef01234567", "qr", "picture of a QR")
      .catch((reason: unknown) => reason);
    for (const err of [error, new Error("chunk was not stored", { cause: error }), new AggregateError([error], "several")]) {
      const line = logged(err);
      expect(line).toContain("WRONGTYPE");
      expect(line).not.toMatch(/0123456789abcdef|picture/);
    }
  } finally {
    await redis.stop();
  }
});

it("logs the first warning of rejected Redis writes, and the number of the others once a second", () => {
  vi.useFakeTimers();
  const write = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  const log = createLog({}, "debug");
  const child = log.child({ part: "child" });
  const refused = new Error("state was not stored", { cause: new Error("OOM command not allowed when used memory > 'maxmemory'.") });
  const burst = (): void => {
    for (let i = 0; i < 200; i += 1)
      (i % 2 === 0 ? log : child).warn(
        i % 3 === 0 ? { reason: "NOREPLICAS Not enough good replicas to write." } : { err: refused },
        "write failed",
      );
  };
  burst();
  log.warn({ err: new Error("other") }, "another warning");
  vi.advanceTimersByTime(1_000);
  burst();
  vi.advanceTimersByTime(10_000);
  log.warn({ err: refused }, "write failed");
  const lines = write.mock.calls.map(([line]) => JSON.parse(String(line)) as { msg: string; count?: number });
  vi.useRealTimers();
  vi.restoreAllMocks();
  expect(lines.map(({ msg, count }) => [msg, count])).toEqual([
    ["write failed", undefined],
    ["another warning", undefined],
    ["log lines skipped", 199],
    ["log lines skipped", 200],
    ["write failed", undefined],
  ]);
});

it("an error keeps its message, stack, causes and code", () => {
  const line = JSON.parse(logged(Object.assign(new Error("outer", { cause: new TypeError("inner") }), { code: "E_X", chat: "-100" }))) as {
    err: Record<string, unknown>;
  };
  expect(line.err).toEqual({
    type: "Error",
    message: "outer: inner",
    code: "E_X",
    stack: expect.stringMatching(/outer[^]*logger\.test[^]*caused by: TypeError: inner/) as string,
  });
});
