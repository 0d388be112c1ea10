import { describe, expect, it } from "vitest";
import { countdown } from "../../../../../router/console/app/pages/session/overview/countdown.js";

describe("a countdown of three minutes", () => {
  it.each([
    ["at the beginning", 0, "3:00", 1],
    ["while it runs", 54_500, "2:06", 125_500 / 180_000],
    ["in its last second", 179_400, "0:01", 600 / 180_000],
    ["at its end", 180_000, "0:00", 0],
    ["long after", 900_000, "0:00", 0],
    ["before its start, because clocks differ", -30_000, "3:00", 1],
  ])("%s", (_, passedMs, text, share) => {
    expect(countdown(1_000_000, 180_000, 1_000_000 + passedMs)).toMatchObject({ text, share });
  });
});
