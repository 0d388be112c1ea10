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
    const result = waitingOutFloods(run, { deadlineAt: 240_000, signal: never, repeatable: false });
    await vi.advanceTimersByTimeAsync(58_000);
    expect(count()).toBe(1);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await result).toBe("done");
  });

  test("gives back 60 seconds, and any wait past the deadline, at once", async () => {
    await expect(waitingOutFloods(failing(1, rpc(420, "FLOOD_WAIT_60")).run, { deadlineAt: 240_000, signal: never })).rejects.toThrow(
      "A wait of 60 seconds is required",
    );
    await expect(waitingOutFloods(failing(1, rpc(420, "FLOOD_WAIT_30")).run, { deadlineAt: 20_000, signal: never })).rejects.toThrow(
      "A wait of 30 seconds is required",
    );
  });

  test("tries at most five times", async () => {
    const { run, count } = failing(9, rpc(420, "FLOOD_WAIT_1"));
    const result = waitingOutFloods(run, { deadlineAt: 240_000, signal: never }).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await result).toBeInstanceOf(Error);
    expect(count()).toBe(5);
  });

  test.each<[number, string]>([
    [500, "RPC_CALL_FAIL"],
    [400, "RPC_CALL_FAIL"],
    [500, "RPC_MCGET_FAIL"],
    [500, "INTERDC_2_CALL_ERROR"],
    [500, "INTERDC_4_CALL_RICH_ERROR"],
    [400, "MSG_WAIT_FAILED"],
    [500, "MSG_WAIT_FAILED"],
    [500, "WORKER_BUSY_TOO_LONG_RETRY"],
    [500, "INTERNAL"],
    [500, "No workers running"],
    [503, "Timedout"],
    [-503, "Timeout"],
  ])("repeats after the platform's own trouble only what may be repeated: %i %s", async (code, name) => {
    const trouble = rpc(code, name);
    await expect(waitingOutFloods(failing(1, trouble).run, { deadlineAt: 240_000, signal: never, repeatable: false })).rejects.toBe(
      trouble,
    );
    const result = waitingOutFloods(failing(1, trouble).run, { deadlineAt: 240_000, signal: never });
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await result).toBe("done");
  });

  test.each<[number, string]>([
    [500, "RANDOM_ID_DUPLICATE"],
    [400, "CHAT_INVALID"],
    [403, "CHAT_WRITE_FORBIDDEN"],
    [406, "PRIVACY_PREMIUM_REQUIRED"],
  ])("passes on a refusal at once: %i %s", async (code, name) => {
    const { run, count } = failing(1, rpc(code, name));
    await expect(waitingOutFloods(run, { deadlineAt: 240_000, signal: never })).rejects.toThrow(name);
    expect(count()).toBe(1);
  });

  test("repeats after trouble, ever more slowly, until the deadline is near, and then says what the platform said", async () => {
    const { run, count } = failing(1_000, rpc(500, "INTERDC_2_CALL_ERROR"));
    const result = waitingOutFloods(run, { deadlineAt: performance.now() + 60_000, signal: never }).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await result).toMatchObject({ message: "500: INTERDC_2_CALL_ERROR (caused by updates.GetState)" });
    expect(count()).toBeGreaterThan(14);
    expect(count()).toBeLessThan(35);
  });

  test("returns a flood wait at once without `waitOutFloods`, and still retries after platform faults", async () => {
    const impatient = { deadlineAt: 240_000, signal: never, waitOutFloods: false };
    await expect(waitingOutFloods(failing(1, rpc(420, "FLOOD_WAIT_1")).run, impatient)).rejects.toThrow("A wait of 1 seconds");
    const result = waitingOutFloods(failing(1, rpc(500, "INTERNAL")).run, impatient);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await result).toBe("done");
  });

  test("ends with its signal, without a timer left", async () => {
    const end = new AbortController();
    const result = waitingOutFloods(failing(1, rpc(420, "FLOOD_WAIT_50")).run, { deadlineAt: 240_000, signal: end.signal }).catch(
      (error: unknown) => error,
    );
    await vi.advanceTimersByTimeAsync(10);
    end.abort(new Error("over"));
    expect(await result).toMatchObject({ message: "over" });
    expect(vi.getTimerCount()).toBe(0);
  });
});
