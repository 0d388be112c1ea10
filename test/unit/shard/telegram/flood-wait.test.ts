import { Api } from "telegram";
import { RPCMessageToError } from "telegram/errors/index.js";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { waitingOutFloods } from "../../../../shard/telegram/flood-wait.js";

const rpc = (errorCode: number, errorMessage: string): Error =>
  RPCMessageToError(new Api.RpcError({ errorCode, errorMessage }), new Api.updates.GetState());
const never = new AbortController().signal;

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

function failing(times: number, error: Error): { run: () => Promise<string>; count: () => number } {
  let count = 0;
  return { run: async () => ((count += 1) <= times ? Promise.reject(error) : "done"), count: () => count };
}

describe("waitingOutFloods", () => {
  test("waits out 59 seconds", async () => {
    const { run, count } = failing(1, rpc(420, "FLOOD_WAIT_59"));
    const result = waitingOutFloods(run, false, 240_000, never);
    await vi.advanceTimersByTimeAsync(58_000);
    expect(count()).toBe(1);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await result).toBe("done");
  });

  test("gives back 60 seconds, and any wait past the deadline, at once", async () => {
    await expect(waitingOutFloods(failing(1, rpc(420, "FLOOD_WAIT_60")).run, true, 240_000, never)).rejects.toThrow(
      "A wait of 60 seconds is required",
    );
    await expect(waitingOutFloods(failing(1, rpc(420, "FLOOD_WAIT_30")).run, true, 20_000, never)).rejects.toThrow(
      "A wait of 30 seconds is required",
    );
  });

  test("asks five times at most", async () => {
    const { run, count } = failing(9, rpc(420, "FLOOD_WAIT_1"));
    const result = waitingOutFloods(run, true, 240_000, never).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await result).toBeInstanceOf(Error);
    expect(count()).toBe(5);
  });

  test("repeats after the platform's own trouble only what may be repeated", async () => {
    const trouble = rpc(500, "RPC_CALL_FAIL");
    await expect(waitingOutFloods(failing(1, trouble).run, false, 240_000, never)).rejects.toBe(trouble);
    const result = waitingOutFloods(failing(1, trouble).run, true, 240_000, never);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await result).toBe("done");
  });

  test("ends with its signal, without a timer left", async () => {
    const end = new AbortController();
    const result = waitingOutFloods(failing(1, rpc(420, "FLOOD_WAIT_50")).run, true, 240_000, end.signal).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(10);
    end.abort(new Error("over"));
    expect(await result).toMatchObject({ message: "over" });
    expect(vi.getTimerCount()).toBe(0);
  });
});
