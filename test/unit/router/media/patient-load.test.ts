import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { patientLoad, type PatientLoadOptions } from "../../../../router/media/patient-load.js";
import { askedToWait, mediaNotFound, mediaTimeout, sessionNotConnected } from "../../../../shared/contract/telegram/errors.js";

const never = new AbortController().signal;
const chunk = { bytes: new Uint8Array(1), done: () => undefined };

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

/** A loader that throws each given error once, then succeeds. */
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

const patient = (
  load: () => Promise<typeof chunk>,
  first: number,
  requireLogin: PatientLoadOptions["requireLogin"] = () => Promise.resolve(),
): ReturnType<typeof patientLoad> => patientLoad(load, { first, requireLogin });

describe("patientLoad", () => {
  it("waits as long as the platform requests, and then loads the chunk", async () => {
    const { load, asked } = failing(askedToWait(3), askedToWait(2));
    const loading = patient(load, 0)(1, never);
    await vi.advanceTimersByTimeAsync(2_999);
    expect(asked()).toBe(1);
    await vi.advanceTimersByTimeAsync(2_001);
    expect(await loading).toBe(chunk);
  });

  it("passes on the first chunk's error, which still becomes a status", async () => {
    const { load, asked } = failing(askedToWait(3));
    await expect(patient(load, 7)(7, never)).rejects.toThrow("asked to wait 3s");
    expect(asked()).toBe(1);
  });

  it("waits for 30 s in total, over all chunks of the stream", async () => {
    const { load } = failing(askedToWait(20), askedToWait(10), askedToWait(1));
    const loadPatiently = patient(load, 0);
    const first = loadPatiently(1, never).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await first).toMatchObject({ message: "telegram asked to wait 1s" });
  });

  it("passes on a wait beyond that, and what is no wait, at once", async () => {
    await expect(patient(failing(askedToWait(31)).load, 0)(1, never)).rejects.toThrow("asked to wait 31s");
    await expect(patient(failing(mediaNotFound()).load, 0)(1, never)).rejects.toThrow("media not found");
  });

  it("counts a silence of the platform as a wait", async () => {
    const silence = (): Promise<never> => new Promise((_, reject) => setTimeout(() => reject(mediaTimeout()), 30_000));
    const loading = patient(silence, 0)(1, never).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await loading).toMatchObject({ message: "telegram did not answer the media request in time" });
  });

  it("waits for the session's next connection", async () => {
    const { load, asked } = failing(sessionNotConnected(), sessionNotConnected());
    const loading = patient(load, 0)(1, never);
    await vi.advanceTimersByTimeAsync(2_000);
    expect([await loading, asked()]).toEqual([chunk, 3]);
  });

  it("waits no longer for a connection than for the platform, and not at all without a login", async () => {
    const lost = (): Promise<never> => new Promise((_, reject) => setTimeout(() => reject(sessionNotConnected()), 9_001));
    const loading = patient(lost, 0)(1, never).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await loading).toMatchObject({ message: "session not connected" });
    const gone = patient(failing(sessionNotConnected()).load, 0, () => Promise.reject(mediaNotFound()));
    await expect(gone(1, never)).rejects.toThrow("media not found");
  });

  it("ends with its signal, without a timer left", async () => {
    const left = new AbortController();
    const loading = patient(failing(askedToWait(20)).load, 0)(1, left.signal).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(10);
    left.abort(new Error("client left"));
    expect(await loading).toMatchObject({ message: "client left" });
    expect(vi.getTimerCount()).toBe(0);
  });
});
