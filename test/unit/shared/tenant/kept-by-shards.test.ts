import { expect, it } from "vitest";
import { keptText, parseKept } from "../../../../shared/tenant/kept-by-shards.js";

it("keeps a warm-up with the rest of the pace", () => {
  const warmUp = { days: 14, from: 50 };
  const text = keptText({ downloads: 3 }, { sendsPerMinute: 60, newContactsPerHour: null, warmUp });
  expect(parseKept(text)).toEqual({ downloads: 3, pace: { sendsPerMinute: 60, warmUp } });
  expect(keptText({}, { warmUp: null })).toBe("");
});

it.each([{ days: 0, from: 5 }, { days: 366, from: 5 }, { days: 5, from: 0.5 }, { days: 5 }])(
  "takes an altered warm-up for none: %j",
  (warmUp) => {
    expect(parseKept(JSON.stringify({ pace: { warmUp } }))).toEqual({});
  },
);
