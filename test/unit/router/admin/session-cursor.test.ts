import { describe, expect, it } from "vitest";
import { formatCursor, parseCursor, type SessionCursor } from "../../../../router/admin/session-cursor.js";

const id = "65f000000000000000000001";

describe("a cursor", () => {
  it.each<[string, SessionCursor]>([
    ["0.", { slot: 0, id: "" }],
    ["7.", { slot: 7, id: "" }],
    [`4095.${id}`, { slot: 4095, id }],
  ])("%s is read as it was written", (text, cursor) => {
    expect(parseCursor(text)).toEqual(cursor);
    expect(formatCursor(cursor)).toBe(text);
  });
  it("is the beginning when there is none, and none behind the last slot", () => {
    expect(parseCursor("")).toEqual({ slot: 0, id: "" });
    expect(formatCursor({ slot: 4096, id: "" })).toBe("");
  });
  it.each(["x", "7", ".", `.${id}`, "4096.", "99999.", "-1.", `7.${id}0`, `7.${id.toUpperCase().replace("6", "A")}`, "7.abc", " 7."])(
    "'%s' was given out by no page",
    (text) => {
      expect(() => parseCursor(text)).toThrow("after must be the next of a previous page");
    },
  );
});
