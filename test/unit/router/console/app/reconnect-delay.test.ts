import { describe, expect, it } from "vitest";
import { reconnectDelay } from "../../../../../router/console/app/live/reconnect-delay.js";

describe("the delay before a stream reconnects", () => {
  it.each([
    [0, undefined, 0.5, 1_000],
    [0, 2_500, 0.5, 2_500],
    [1, undefined, 0.5, 2_000],
    [3, 1_500, 0.5, 12_000],
    [50, 3_000, 0.5, 30_000],
    [0, 1, 0, 750],
    [0, 1, 1, 1_250],
  ])("after %i failures, with the server's delay %s: %s", (failures, asked, spread, expected) => {
    expect(reconnectDelay(failures, asked, spread)).toBe(expected);
  });
});
