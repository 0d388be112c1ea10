import { describe, expect, it } from "vitest";
import { instantOf, localTimeOf } from "../../../../../router/console/app/ui/local-time.js";

describe("the local time of a date field", () => {
  it.each(["2026-11-22T10:05:00.000Z", "2026-07-01T00:00:00.000Z", "0999-01-02T03:04:00.000Z"])(
    "converts %s to local time and back",
    (at) => {
      expect(localTimeOf(at)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/);
      expect(instantOf(localTimeOf(at))).toBe(at);
    },
  );
  it("is in the time zone of the browser", () => {
    expect(localTimeOf(new Date(2026, 0, 2, 3, 4, 59).toISOString())).toBe("2026-01-02T03:04");
  });
  it.each(["", "yesterday", "2026-13-40"])("is empty for %j", (text) => {
    expect([localTimeOf(text), instantOf(text)]).toEqual(["", ""]);
  });
});
