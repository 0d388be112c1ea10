import { afterEach, expect, it, vi } from "vitest";
import { createLog } from "../../../../shared/log/logger.js";
import { startRedis } from "../../../harness/redis.js";

afterEach(() => {
  vi.restoreAllMocks();
});

/** The line that an error becomes. */
function logged(err: unknown): string {
  const write = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  createLog({}, "debug").warn({ err }, "something failed");
  const line = String(write.mock.calls[0]?.[0]);
  vi.restoreAllMocks();
  return line;
}

it("an error that Redis answered comes without the command: its keys and values are secrets", async () => {
  const redis = await startRedis();
  try {
    await redis.client.set("s:{1}:0123456789abcdef01234567", "text");
    const error: unknown = await redis.client
      .hset("s:{1}:0123456789abcdef01234567", "qr", "picture of a QR")
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
