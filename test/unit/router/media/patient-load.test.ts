import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { patientLoad } from "../../../../router/media/patient-load.js";
import { askedToWait, mediaNotFound, mediaTimeout } from "../../../../shared/contract/telegram/errors.js";

const never = new AbortController().signal;
const chunk = { bytes: new Uint8Array(1), done: () => undefined };

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

/** Fails as often as there are errors, then loads. */
function failing(...errors: Error[]): { load: () => Promise<typeof chunk>; asked: () => number } {
  let asked = 0;
  return {
    load: () => {
      const error = errors[asked++];
      return error === undefined ? Promise.resolve(chunk) : Promise.reject(error);
    },
    asked: () => asked,
  };
}

describe("patientLoad", () => {
  it("waits as long as the platform asks, and loads the chunk then", async () => {
    const { load, asked } = failing(askedToWait(3), askedToWait(2));
    const loading = patientLoad(load, 0)(1, never);
    await vi.advanceTimersByTimeAsync(2_999);
    expect(asked()).toBe(1);
    await vi.advanceTimersByTimeAsync(2_001);
    expect(await loading).toBe(chunk);
  });

  it("passes on the first chunk's error, which still becomes a status", async () => {
    const { load, asked } = failing(askedToWait(3));
    await expect(patientLoad(load, 7)(7, never)).rejects.toThrow("asked to wait 3s");
    expect(asked()).toBe(1);
  });

  it("waits for 30 s in total, over all chunks of the stream", async () => {
    const { load } = failing(askedToWait(20), askedToWait(10), askedToWait(1));
    const patient = patientLoad(load, 0);
    const first = patient(1, never).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await first).toMatchObject({ message: "telegram asked to wait 1s" });
  });

  it("passes on a wait beyond that, and what is no wait, at once", async () => {
    await expect(patientLoad(failing(askedToWait(31)).load, 0)(1, never)).rejects.toThrow("asked to wait 31s");
    await expect(patientLoad(failing(mediaNotFound()).load, 0)(1, never)).rejects.toThrow("media not found");
  });

  it("counts a silence of the platform as a wait", async () => {
    const silence = (): Promise<never> => new Promise((_, reject) => setTimeout(() => reject(mediaTimeout()), 30_000));
    const loading = patientLoad(silence, 0)(1, never).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await loading).toMatchObject({ message: "telegram did not answer the media request in time" });
  });

  it("ends with its signal, without a timer left", async () => {
    const left = new AbortController();
    const loading = patientLoad(failing(askedToWait(20)).load, 0)(1, left.signal).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(10);
    left.abort(new Error("client left"));
    expect(await loading).toMatchObject({ message: "client left" });
    expect(vi.getTimerCount()).toBe(0);
  });
});
